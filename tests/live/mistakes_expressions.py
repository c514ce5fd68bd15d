"""Expressions that the service cannot read, and updates that it does not do."""

from __future__ import annotations

from live.mistakes_world import BOTO, DYNALITE, PARITY, REPORTED, SILENT, Mistake

V = {":v": {"S": "x"}}
N = {":n": {"N": "1"}}


ROWS = [
    Mistake(
        "a reserved word in a projection",
        lambda w: w.get(ProjectionExpression="name"),
        (
            "ValidationException: Invalid ProjectionExpression: Attribute name is a reserved "
            "keyword; reserved keyword: name"
        ),
        PARITY,
    ),
    Mistake(
        "a reserved word in a condition",
        lambda w: w.when("status = :v", V),
        (
            "ValidationException: Invalid ConditionExpression: Attribute name is a reserved "
            "keyword; reserved keyword: status"
        ),
        PARITY,
    ),
    Mistake(
        "a reserved word in an update",
        lambda w: w.update("SET name = :v", V),
        ("ValidationException: Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name"),
        PARITY,
    ),
    Mistake(
        "a reserved word in a filter",
        lambda w: w.scan("#x = :v AND name = :v", V, ExpressionAttributeNames={"#x": "x"}),
        ("ValidationException: Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: name"),
        PARITY,
    ),
    Mistake(
        "a reserved word as key",
        lambda w: w.query("date = :v", V),
        (
            "ValidationException: Invalid KeyConditionExpression: Attribute name is a reserved "
            "keyword; reserved keyword: date"
        ),
        DYNALITE,
    ),
    Mistake(
        "a reserved word inside a path",
        lambda w: w.get(ProjectionExpression="address.state"),
        (
            "ValidationException: Invalid ProjectionExpression: Attribute name is a reserved "
            "keyword; reserved keyword: state"
        ),
        PARITY,
    ),
    Mistake(
        "a name that is never defined",
        lambda w: w.scan("#x = :v", V),
        (
            "ValidationException: Invalid FilterExpression: An expression attribute name used in "
            "the document path is not defined; attribute name: #x"
        ),
        PARITY,
    ),
    Mistake(
        "a name that is defined and not used",
        lambda w: w.scan("x = :v", V, ExpressionAttributeNames={"#x": "x"}),
        "ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}",
        PARITY,
    ),
    Mistake(
        "a value that is never defined",
        lambda w: w.scan("x = :w", V),
        (
            "ValidationException: Invalid FilterExpression: An expression attribute value used "
            "in expression is not defined; attribute value: :w"
        ),
        PARITY,
    ),
    Mistake(
        "a value that is never defined, without any",
        lambda w: w.update("SET v = :v"),
        (
            "ValidationException: Invalid UpdateExpression: An expression attribute value used "
            "in expression is not defined; attribute value: :v"
        ),
        PARITY,
    ),
    Mistake(
        "a value that is defined and not used",
        lambda w: w.scan("x = :v", {**V, ":w": {"S": "y"}}),
        ("ValidationException: Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"),
        PARITY,
    ),
    Mistake(
        "a name without #",
        lambda w: w.scan("n = :v", V, ExpressionAttributeNames={"n": "name"}),
        'ValidationException: ExpressionAttributeNames contains invalid key: Syntax error; key: "n"',
        DYNALITE,
    ),
    Mistake(
        "a value without :",
        lambda w: w.scan("x = v", {"v": {"S": "x"}}),
        'ValidationException: ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
        DYNALITE,
    ),
    Mistake(
        "names without an expression",
        lambda w: w.get(ExpressionAttributeNames={"#x": "x"}),
        "ValidationException: ExpressionAttributeNames can only be specified when using expressions",
        DYNALITE,
    ),
    Mistake(
        "values without an expression",
        lambda w: w.put(ExpressionAttributeValues=V),
        (
            "ValidationException: ExpressionAttributeValues can only be specified when using "
            "expressions: ConditionExpression is null"
        ),
        PARITY,
    ),
    Mistake(
        "no names in the names",
        lambda w: w.scan("x = :v", V, ExpressionAttributeNames={}),
        "ValidationException: ExpressionAttributeNames must not be empty",
        DYNALITE,
    ),
    Mistake(
        "no values in the values",
        lambda w: w.scan("attribute_exists(x)", ExpressionAttributeValues={}),
        "ValidationException: ExpressionAttributeValues must not be empty",
        DYNALITE,
    ),
    Mistake(
        "a bare value among the values",
        lambda w: w.scan("x = :v", {":v": "x"}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ExpressionAttributeValues.:v, value: x, type: <class 'str'>, valid types: <class "
            "'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "an empty set among the values",
        lambda w: w.update("SET v = :v", {":v": {"SS": []}}),
        "ValidationException: One or more parameter values were invalid: An string set  may not be empty",
        PARITY,
    ),
    Mistake(
        "a quoted string in an expression",
        lambda w: w.scan("x = 'tea'"),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "\'", near: "= \'tea"',
        PARITY,
    ),
    Mistake(
        "a string in double quotes",
        lambda w: w.scan('x = "tea"'),
        'ValidationException: Invalid FilterExpression: Syntax error; token: """, near: "= "tea"',
        PARITY,
    ),
    Mistake(
        "a number in an expression",
        lambda w: w.scan("price > 5"),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "5", near: "> 5"',
        PARITY,
    ),
    Mistake(
        "a number assigned",
        lambda w: w.update("SET price = 5"),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "5", near: "= 5"',
        PARITY,
    ),
    Mistake(
        "== for =",
        lambda w: w.scan("x == :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "=", near: "== :v"',
        PARITY,
    ),
    Mistake(
        "!= for <>",
        lambda w: w.scan("x != :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "!", near: "x !="',
        PARITY,
    ),
    Mistake(
        "&& for AND",
        lambda w: w.scan("x = :v && y = :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "&", near: ":v &&"',
        PARITY,
    ),
    Mistake("a small and", lambda w: w.scan("x = :v and y = :v", V)["Count"], "accepted: 0", SILENT),
    Mistake(
        "an unclosed parenthesis",
        lambda w: w.scan("(x = :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: ":v"',
        PARITY,
    ),
    Mistake(
        "a closing parenthesis too many",
        lambda w: w.scan("x = :v)", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: ")", near: ":v)"',
        PARITY,
    ),
    Mistake(
        "doubled parentheses",
        lambda w: w.scan("((x = :v))", V),
        "ValidationException: Invalid FilterExpression: The expression has redundant parentheses;",
        PARITY,
    ),
    Mistake(
        "an expression that stops early",
        lambda w: w.scan("x =", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="',
        PARITY,
    ),
    Mistake(
        "an expression of a name alone",
        lambda w: w.scan("x", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "x"',
        PARITY,
    ),
    Mistake(
        "an expression that ends in AND",
        lambda w: w.scan("x = :v AND", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "AND"',
        PARITY,
    ),
    Mistake(
        "an empty filter",
        lambda w: w.scan(""),
        "ValidationException: Invalid FilterExpression: The expression can not be empty;",
        PARITY,
    ),
    Mistake(
        "an empty projection",
        lambda w: w.get(ProjectionExpression=""),
        "ValidationException: Invalid ProjectionExpression: The expression can not be empty;",
        PARITY,
    ),
    Mistake(
        "a blank filter",
        lambda w: w.scan(" "),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: ""',
        PARITY,
    ),
    Mistake(
        "* as a projection",
        lambda w: w.get(ProjectionExpression="*"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "*", near: "*"',
        PARITY,
    ),
    Mistake(
        "a projection that ends in a comma",
        lambda w: w.get(ProjectionExpression="a, b,"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","',
        PARITY,
    ),
    Mistake(
        "a projection that is a list",
        lambda w: w.get(ProjectionExpression=["a", "b"]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ProjectionExpression, value: ['a', 'b'], type: <class 'list'>, valid types: <class "
            "'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "one path twice in a projection",
        lambda w: w.get(ProjectionExpression="a, a"),
        (
            "ValidationException: Invalid ProjectionExpression: Two document paths overlap with "
            "each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"
        ),
        DYNALITE,
    ),
    Mistake(
        "overlapping paths in a projection",
        lambda w: w.get(ProjectionExpression="address, address.city"),
        (
            "ValidationException: Invalid ProjectionExpression: Two document paths overlap with "
            "each other; must remove or rewrite one of these paths; path one: [address], path "
            "two: [address, city]"
        ),
        DYNALITE,
    ),
    Mistake(
        "a hyphen in an attribute's name",
        lambda w: w.get(ProjectionExpression="first-name"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "-", near: "first-name"',
        PARITY,
    ),
    Mistake(
        "an attribute's name that begins with a digit",
        lambda w: w.get(ProjectionExpression="1st"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "1", near: "1st"',
        PARITY,
    ),
    Mistake(
        "a name with a space",
        lambda w: w.scan("first name = :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "name", near: "first name ="',
        PARITY,
    ),
    Mistake(
        "an index of a list that is a name",
        lambda w: w.get(ProjectionExpression="lines[first]"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "first", near: "[first]"',
        PARITY,
    ),
    Mistake(
        "a negative index of a list",
        lambda w: w.get(ProjectionExpression="lines[-1]"),
        'ValidationException: Invalid ProjectionExpression: Syntax error; token: "-", near: "[-1"',
        PARITY,
    ),
    Mistake(
        "an unknown function",
        lambda w: w.scan("starts_with(x, :v)", V),
        "ValidationException: Invalid FilterExpression: Invalid function name; function: starts_with",
        DYNALITE,
    ),
    Mistake(
        "a function in capitals",
        lambda w: w.scan("BEGINS_WITH(x, :v)", V),
        "ValidationException: Invalid FilterExpression: Invalid function name; function: BEGINS_WITH",
        DYNALITE,
    ),
    Mistake(
        "LIKE",
        lambda w: w.scan("x LIKE :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "LIKE", near: "x LIKE :v"',
        PARITY,
    ),
    Mistake(
        "IS NULL",
        lambda w: w.scan("x IS NULL"),
        'ValidationException: Invalid FilterExpression: Syntax error; token: "IS", near: "x IS NULL"',
        PARITY,
    ),
    Mistake(
        "a function with too few operands",
        lambda w: w.scan("begins_with(x)", None),
        (
            "ValidationException: Invalid FilterExpression: Incorrect number of operands for "
            "operator or function; operator or function: begins_with, number of operands: 1"
        ),
        DYNALITE,
    ),
    Mistake(
        "a function with too many operands",
        lambda w: w.scan("attribute_exists(x, y)"),
        (
            "ValidationException: Invalid FilterExpression: Incorrect number of operands for "
            "operator or function; operator or function: attribute_exists, number of operands: 2"
        ),
        DYNALITE,
    ),
    Mistake(
        "attribute_exists of a value",
        lambda w: w.scan("attribute_exists(:v)", V),
        (
            "ValidationException: Invalid FilterExpression: Operator or function requires a "
            "document path; operator or function: attribute_exists"
        ),
        DYNALITE,
    ),
    Mistake(
        "attribute_type of an unknown type",
        lambda w: w.scan("attribute_type(x, :v)", {":v": {"S": "String"}}),
        (
            "ValidationException: Invalid FilterExpression: Invalid attribute type name found; "
            "type: String, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
        ),
        DYNALITE,
    ),
    Mistake(
        "attribute_type without a value of type S",
        lambda w: w.scan("attribute_type(x, :n)", N),
        (
            "ValidationException: Invalid FilterExpression: Incorrect operand type for operator "
            "or function; operator or function: attribute_type, operand type: N"
        ),
        DYNALITE,
    ),
    Mistake(
        "begins_with a number",
        lambda w: w.scan("begins_with(x, :n)", N),
        (
            "ValidationException: Invalid FilterExpression: Incorrect operand type for operator "
            "or function; operator or function: begins_with, operand type: N"
        ),
        PARITY,
    ),
    Mistake(
        "size of a number",
        lambda w: w.scan("size(:n) > :n", N),
        (
            "ValidationException: Invalid FilterExpression: Incorrect operand type for operator "
            "or function; operator or function: size, operand type: N"
        ),
        DYNALITE,
    ),
    Mistake(
        "size alone",
        lambda w: w.scan("size(x)"),
        (
            "ValidationException: Invalid FilterExpression: The function is not allowed to be "
            "used this way in an expression; function: size"
        ),
        DYNALITE,
    ),
    Mistake(
        "contains as an operand",
        lambda w: w.scan("contains(x, :v) = :v", V),
        (
            "ValidationException: Invalid FilterExpression: The function is not allowed to be "
            "used this way in an expression; function: contains"
        ),
        DYNALITE,
    ),
    Mistake(
        "an attribute compared with itself",
        lambda w: w.scan("x = x"),
        (
            "ValidationException: Invalid FilterExpression: The first operand must be distinct "
            "from the remaining operands for this operator or function; operator: =, first "
            "operand: [x]"
        ),
        PARITY,
    ),
    Mistake(
        "BETWEEN with its bounds reversed",
        lambda w: w.scan("x BETWEEN :a AND :b", {":a": {"N": "9"}, ":b": {"N": "1"}}),
        (
            "ValidationException: Invalid FilterExpression: The BETWEEN operator requires upper "
            "bound to be greater than or equal to lower bound; lower bound operand: "
            "AttributeValue: {N:9}, upper bound operand: AttributeValue: {N:1}"
        ),
        DYNALITE,
    ),
    Mistake(
        "BETWEEN bounds of two types",
        lambda w: w.scan("x BETWEEN :a AND :b", {":a": {"N": "9"}, ":b": {"S": "1"}}),
        (
            "ValidationException: Invalid FilterExpression: The BETWEEN operator requires same "
            "data type for lower and upper bounds; lower bound operand: AttributeValue: {N:9}, "
            "upper bound operand: AttributeValue: {S:1}"
        ),
        DYNALITE,
    ),
    Mistake(
        "BETWEEN with a comma",
        lambda w: w.scan("x BETWEEN :a, :b", {":a": {"N": "1"}, ":b": {"N": "2"}}),
        'ValidationException: Invalid FilterExpression: Syntax error; token: ",", near: ":a, :b"',
        PARITY,
    ),
    Mistake(
        "IN without parentheses",
        lambda w: w.scan("x IN :v", V),
        'ValidationException: Invalid FilterExpression: Syntax error; token: ":v", near: "IN :v"',
        PARITY,
    ),
    Mistake(
        "IN of a list value", lambda w: w.scan("x IN (:v)", {":v": {"L": [{"S": "a"}]}})["Count"], "accepted: 0", SILENT
    ),
    Mistake(
        "IN of 101 values",
        lambda w: w.scan(
            f"x IN ({', '.join(f':v{n}' for n in range(101))})", {f":v{n}": {"N": str(n)} for n in range(101)}
        ),
        (
            "ValidationException: Invalid FilterExpression: The IN operator is provided with too "
            "many operands; number of operands: 101"
        ),
        REPORTED,
    ),
    Mistake(
        "IN of nothing",
        lambda w: w.scan("x IN ()"),
        'ValidationException: Invalid FilterExpression: Syntax error; token: ")", near: "()"',
        PARITY,
    ),
    Mistake(
        "a comparison with a list",
        lambda w: w.scan("x < :v", {":v": {"L": []}}),
        (
            "ValidationException: Invalid FilterExpression: Incorrect operand type for operator "
            "or function; operator or function: <, operand type: L"
        ),
        PARITY,
    ),
    Mistake(
        "a comparison with a boolean",
        lambda w: w.scan("x > :v", {":v": {"BOOL": True}}),
        (
            "ValidationException: Invalid FilterExpression: Incorrect operand type for operator "
            "or function; operator or function: >, operand type: BOOL"
        ),
        PARITY,
    ),
    Mistake("NOT without parentheses", lambda w: w.scan("NOT x = :v", V)["Count"], "accepted: 1", SILENT),
    Mistake(
        "an expression of more than 4 KB",
        lambda w: w.scan(" OR ".join(f"{'a' * 20}{n} = :v" for n in range(200)), V),
        (
            "ValidationException: Invalid FilterExpression: Expression size has exceeded the "
            "maximum allowed size; expression size: 6286"
        ),
        PARITY,
    ),
    Mistake(
        "more than 300 operators",
        lambda w: w.scan(" OR ".join(["x = :v"] * 200), V),
        (
            "ValidationException: Invalid FilterExpression: The expression contains too many "
            "operators; operator count: 399"
        ),
        REPORTED,
    ),
    Mistake(
        "old and new parameters together in a query",
        lambda w: w.query("pk = :v", V, QueryFilter={"x": {"ComparisonOperator": "NULL"}}),
        (
            "ValidationException: Can not use both expression and non-expression parameters in "
            "the same request: Non-expression parameters: {QueryFilter} Expression parameters: "
            "{KeyConditionExpression}"
        ),
        PARITY,
    ),
    Mistake(
        "old and new parameters together in an update",
        lambda w: w.update("SET v = :v", V, AttributeUpdates={"x": {"Action": "DELETE"}}),
        (
            "ValidationException: Can not use both expression and non-expression parameters in "
            "the same request: Non-expression parameters: {AttributeUpdates} Expression "
            "parameters: {UpdateExpression}"
        ),
        DYNALITE,
    ),
    Mistake(
        "old and new parameters together in a put",
        lambda w: w.put(ConditionExpression="attribute_not_exists(pk)", Expected={"pk": {"Exists": False}}),
        (
            "ValidationException: Can not use both expression and non-expression parameters in "
            "the same request: Non-expression parameters: {Expected} Expression parameters: "
            "{ConditionExpression}"
        ),
        PARITY,
    ),
    Mistake(
        "AttributesToGet with a projection",
        lambda w: w.get(ProjectionExpression="a", AttributesToGet=["a"]),
        (
            "ValidationException: Can not use both expression and non-expression parameters in "
            "the same request: Non-expression parameters: {AttributesToGet} Expression "
            "parameters: {ProjectionExpression}"
        ),
        PARITY,
    ),
    Mistake(
        "an empty update expression",
        lambda w: w.update(""),
        "ValidationException: Invalid UpdateExpression: The expression can not be empty;",
        PARITY,
    ),
    Mistake(
        "no clause in an update expression",
        lambda w: w.update("price = :v", V),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "price", near: "price ="',
        PARITY,
    ),
    Mistake(
        "an unknown clause",
        lambda w: w.update("UPDATE price = :v", V),
        ('ValidationException: Invalid UpdateExpression: Syntax error; token: "UPDATE", near: "UPDATE price"'),
        PARITY,
    ),
    Mistake(
        "two SET clauses",
        lambda w: w.update("SET a = :v SET b = :v", V),
        (
            'ValidationException: Invalid UpdateExpression: The "SET" section can only be used '
            "once in an update expression;"
        ),
        DYNALITE,
    ),
    Mistake(
        "two REMOVE clauses",
        lambda w: w.update("REMOVE a REMOVE b"),
        (
            'ValidationException: Invalid UpdateExpression: The "REMOVE" section can only be '
            "used once in an update expression;"
        ),
        DYNALITE,
    ),
    Mistake(
        "SET without an operand",
        lambda w: w.update("SET"),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "SET"',
        PARITY,
    ),
    Mistake(
        "SET without =",
        lambda w: w.update("SET price :n", N),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: ":n", near: "price :n"',
        PARITY,
    ),
    Mistake(
        "AND between assignments",
        lambda w: w.update("SET a = :v AND b = :v", V),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "AND", near: ":v AND b"',
        PARITY,
    ),
    Mistake(
        "a comma at the end of SET",
        lambda w: w.update("SET a = :v,", V),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: ","',
        PARITY,
    ),
    Mistake(
        "+= in SET",
        lambda w: w.update("SET price += :n", N),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "+", near: "price +="',
        PARITY,
    ),
    Mistake(
        "a product in SET",
        lambda w: w.update("SET price = price * :n", N),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "*", near: "price * :n"',
        PARITY,
    ),
    Mistake(
        "three terms in SET",
        lambda w: w.update("SET price = price + :n + :n", N),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "+", near: ":n + :n"',
        PARITY,
    ),
    Mistake(
        "one path twice",
        lambda w: w.update("SET a = :v, a = :v", V),
        (
            "ValidationException: Invalid UpdateExpression: Two document paths overlap with each "
            "other; must remove or rewrite one of these paths; path one: [a], path two: [a]"
        ),
        DYNALITE,
    ),
    Mistake(
        "overlapping paths",
        lambda w: w.update("SET address = :m, address.city = :v", {**V, ":m": {"M": {}}}),
        (
            "ValidationException: Invalid UpdateExpression: Two document paths overlap with each "
            "other; must remove or rewrite one of these paths; path one: [address], path two: "
            "[address, city]"
        ),
        DYNALITE,
    ),
    Mistake(
        "one path in two clauses",
        lambda w: w.update("SET a = :v REMOVE a", V),
        (
            "ValidationException: Invalid UpdateExpression: Two document paths overlap with each "
            "other; must remove or rewrite one of these paths; path one: [a], path two: [a]"
        ),
        DYNALITE,
    ),
    Mistake(
        "conflicting paths",
        lambda w: w.update("SET a.b = :v, a[0] = :v", V),
        (
            "ValidationException: Invalid UpdateExpression: Two document paths conflict with "
            "each other; must remove or rewrite one of these paths; path one: [a, b], path two: "
            "[a, [0]]"
        ),
        DYNALITE,
    ),
    Mistake(
        "SET below an attribute that is missing",
        lambda w: w.update("SET nothing.city = :v", V),
        "ValidationException: The document path provided in the update expression is invalid for update",
        REPORTED,
    ),
    Mistake(
        "SET below a string",
        lambda w: w.update("SET title.city = :v", V, Key={"pk": {"S": "a"}, "sk": {"S": "1"}}),
        "ValidationException: The document path provided in the update expression is invalid for update",
        REPORTED,
    ),
    Mistake(
        "SET of an element of something missing",
        lambda w: w.update("SET nothing[0] = :v", V),
        "ValidationException: The document path provided in the update expression is invalid for update",
        REPORTED,
    ),
    Mistake(
        "SET from an attribute that is missing",
        lambda w: w.update("SET v = nothing"),
        ("ValidationException: The provided expression refers to an attribute that does not exist in the item"),
        REPORTED,
    ),
    Mistake(
        "a counter that does not exist yet",
        lambda w: w.update("SET visits = visits + :n", N),
        ("ValidationException: The provided expression refers to an attribute that does not exist in the item"),
        REPORTED,
    ),
    Mistake(
        "a sum with a string attribute",
        lambda w: w.update("SET #n = #n + :n", N, ExpressionAttributeNames={"#n": "name"}),
        "ValidationException: An operand in the update expression has an incorrect data type",
        REPORTED,
    ),
    Mistake(
        "a sum with a string value",
        lambda w: w.update("SET price = price + :v", V),
        (
            "ValidationException: Invalid UpdateExpression: Incorrect operand type for operator "
            "or function; operator or function: +, operand type: S"
        ),
        DYNALITE,
    ),
    Mistake(
        "ADD of a string",
        lambda w: w.update("ADD #n :v", V, ExpressionAttributeNames={"#n": "name"}),
        (
            "ValidationException: Invalid UpdateExpression: Incorrect operand type for operator "
            "or function; operator: ADD, operand type: STRING"
        ),
        DYNALITE,
    ),
    Mistake(
        "ADD of a number to a string",
        lambda w: w.update("ADD #n :n", N, ExpressionAttributeNames={"#n": "name"}),
        "ValidationException: An operand in the update expression has an incorrect data type",
        REPORTED,
    ),
    Mistake(
        "ADD of a list",
        lambda w: w.update("ADD lines :l", {":l": {"L": [{"N": "2"}]}}),
        (
            "ValidationException: Invalid UpdateExpression: Attribute name is a reserved "
            "keyword; reserved keyword: lines"
        ),
        PARITY,
    ),
    Mistake(
        "ADD of a number set to a string set",
        lambda w: w.update("ADD tags :s", {":s": {"NS": ["1"]}}),
        "ValidationException: An operand in the update expression has an incorrect data type",
        REPORTED,
    ),
    Mistake(
        "ADD with =",
        lambda w: w.update("ADD price = :n", N),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "=", near: "price = :n"',
        PARITY,
    ),
    Mistake(
        "DELETE from a list",
        lambda w: w.update("DELETE lines :l", {":l": {"L": [{"N": "1"}]}}),
        (
            "ValidationException: Invalid UpdateExpression: Attribute name is a reserved "
            "keyword; reserved keyword: lines"
        ),
        PARITY,
    ),
    Mistake(
        "DELETE of a set from a list",
        lambda w: w.update("DELETE lines :s", {":s": {"NS": ["1"]}}),
        (
            "ValidationException: Invalid UpdateExpression: Attribute name is a reserved "
            "keyword; reserved keyword: lines"
        ),
        PARITY,
    ),
    Mistake(
        "DELETE without a value",
        lambda w: w.update("DELETE tags"),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "tags"',
        PARITY,
    ),
    Mistake(
        "DELETE of a string",
        lambda w: w.update("DELETE tags :v", V),
        (
            "ValidationException: Invalid UpdateExpression: Incorrect operand type for operator "
            "or function; operator: DELETE, operand type: STRING"
        ),
        DYNALITE,
    ),
    Mistake(
        "REMOVE with a value",
        lambda w: w.update("REMOVE tags :v", V),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: ":v", near: "tags :v"',
        PARITY,
    ),
    Mistake(
        "an update of the partition key",
        lambda w: w.update("SET pk = :v", V),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute pk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "an update of the sort key",
        lambda w: w.update("SET sk = :v", V),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute sk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "the key in the update beside others",
        lambda w: w.update("SET pk = :p, price = :n", {":p": {"S": "a"}, **N}),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute pk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "REMOVE of a key",
        lambda w: w.update("REMOVE sk"),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute sk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "ADD to a key",
        lambda w: w.update("ADD pk :n", N, TableName="numbers", Key={"pk": {"N": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute pk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "if_not_exists of a value",
        lambda w: w.update("SET visits = if_not_exists(:n, :n)", N),
        (
            "ValidationException: Invalid UpdateExpression: Operator or function requires a "
            "document path; operator or function: if_not_exists"
        ),
        DYNALITE,
    ),
    Mistake(
        "if_not_exists with one operand",
        lambda w: w.update("SET visits = if_not_exists(visits)"),
        (
            "ValidationException: Invalid UpdateExpression: Incorrect number of operands for "
            "operator or function; operator or function: if_not_exists, number of operands: 1"
        ),
        DYNALITE,
    ),
    Mistake(
        "if_not_exists as a condition",
        lambda w: w.when("if_not_exists(pk, :v)", V),
        "ValidationException: Invalid ConditionExpression: Invalid function name; function: if_not_exists",
        DYNALITE,
    ),
    Mistake(
        "list_append of a string",
        lambda w: w.update("SET lines = list_append(lines, :v)", V),
        (
            "ValidationException: Invalid UpdateExpression: Attribute name is a reserved "
            "keyword; reserved keyword: lines"
        ),
        PARITY,
    ),
    Mistake(
        "list_append to a string attribute",
        lambda w: w.update("SET #n = list_append(#n, :l)", {":l": {"L": []}}, ExpressionAttributeNames={"#n": "name"}),
        "ValidationException: An operand in the update expression has an incorrect data type",
        REPORTED,
    ),
    Mistake(
        "list_append to a list that is missing",
        lambda w: w.update("SET more = list_append(more, :l)", {":l": {"L": []}}),
        ("ValidationException: The provided expression refers to an attribute that does not exist in the item"),
        REPORTED,
    ),
    Mistake(
        "list_append with one operand",
        lambda w: w.update("SET lines = list_append(:l)", {":l": {"L": []}}),
        (
            "ValidationException: Invalid UpdateExpression: Attribute name is a reserved "
            "keyword; reserved keyword: lines"
        ),
        PARITY,
    ),
    Mistake(
        "a condition function in an update",
        lambda w: w.update("SET a = attribute_exists(b)"),
        "ValidationException: Invalid UpdateExpression: Invalid function name; function: attribute_exists",
        DYNALITE,
    ),
    Mistake(
        "an unknown function in an update",
        lambda w: w.update("SET a = now()"),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: ")", near: "()"',
        PARITY,
    ),
    Mistake(
        "a WHERE in an update",
        lambda w: w.update("SET a = :v WHERE b = :v", V),
        'ValidationException: Invalid UpdateExpression: Syntax error; token: "WHERE", near: ":v WHERE b"',
        PARITY,
    ),
    Mistake(
        "a failed condition",
        lambda w: w.update("SET a = :n", N, ConditionExpression="attribute_not_exists(pk)"),
        "ConditionalCheckFailedException: The conditional request failed",
        REPORTED,
    ),
    Mistake(
        "a failed condition that shows the item",
        lambda w: w.when("attribute_not_exists(pk)", None, ReturnValuesOnConditionCheckFailure="ALL_OLD"),
        "ConditionalCheckFailedException: The conditional request failed",
        REPORTED,
    ),
    Mistake(
        "ReturnValuesOnConditionCheckFailure of another value",
        lambda w: w.put(ConditionExpression="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_NEW"),
        (
            "ValidationException: 1 validation error detected: Value 'ALL_NEW' at "
            "'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must "
            "satisfy enum value set: [ALL_OLD, NONE]"
        ),
        PARITY,
    ),
    Mistake(
        "ReturnValues of an unknown value",
        lambda w: w.put(ReturnValues="SOME"),
        (
            "ValidationException: 1 validation error detected: Value 'SOME' at 'returnValues' "
            "failed to satisfy constraint: Member must satisfy enum value set: [NONE, ALL_OLD, "
            "UPDATED_OLD, ALL_NEW, UPDATED_NEW]"
        ),
        PARITY,
    ),
    Mistake(
        "ReturnValues ALL_NEW in a put",
        lambda w: w.put(ReturnValues="ALL_NEW"),
        "ValidationException: ReturnValues can only be ALL_OLD or NONE",
        DYNALITE,
    ),
    Mistake(
        "ReturnValues ALL_NEW in a delete",
        lambda w: w.client.delete_item(TableName="orders", Key=w.key, ReturnValues="ALL_NEW"),
        "ValidationException: ReturnValues can only be ALL_OLD or NONE",
        DYNALITE,
    ),
    Mistake(
        "ReturnValues UPDATED_OLD in a put",
        lambda w: w.put(ReturnValues="UPDATED_OLD"),
        "ValidationException: ReturnValues can only be ALL_OLD or NONE",
        DYNALITE,
    ),
    Mistake(
        "ReturnConsumedCapacity true",
        lambda w: w.put(ReturnConsumedCapacity=True),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ReturnConsumedCapacity, value: True, type: <class 'bool'>, valid types: <class "
            "'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "ReturnConsumedCapacity in small letters",
        lambda w: w.put(ReturnConsumedCapacity="total"),
        (
            "ValidationException: 1 validation error detected: Value 'total' at "
            "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
            "value set: [INDEXES, TOTAL, NONE]"
        ),
        PARITY,
    ),
    Mistake(
        "ReturnItemCollectionMetrics of an unknown value",
        lambda w: w.put(ReturnItemCollectionMetrics="TOTAL"),
        (
            "ValidationException: 1 validation error detected: Value 'TOTAL' at "
            "'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy "
            "enum value set: [SIZE, NONE]"
        ),
        PARITY,
    ),
    Mistake(
        "an old update without an action's value",
        lambda w: w.update(None, AttributeUpdates={"a": {"Action": "PUT"}}),
        (
            "ValidationException: One or more parameter values were invalid: Only DELETE action "
            "is allowed when no attribute value is specified"
        ),
        DYNALITE,
    ),
    Mistake(
        "an old ADD of a string",
        lambda w: w.update(None, AttributeUpdates={"a": {"Action": "ADD", "Value": {"S": "x"}}}),
        ("ValidationException: One or more parameter values were invalid: ADD action is not supported for the type S"),
        DYNALITE,
    ),
    Mistake(
        "an old update of a key",
        lambda w: w.update(None, AttributeUpdates={"pk": {"Action": "PUT", "Value": {"S": "x"}}}),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute pk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "an old condition without a value",
        lambda w: w.put(Expected={"a": {"Exists": True}}),
        (
            "ValidationException: One or more parameter values were invalid: Value must be "
            "provided when Exists is true for Attribute: a"
        ),
        DYNALITE,
    ),
]
