"""Requests on several items: batches, transactions, and PartiQL's statements one by one and in groups."""

from __future__ import annotations

import random
from typing import Any

from . import drawing
from .arithmetic import Bill, Item, item_bytes, read_units, same_item, write_bill, write_units
from .drawing import Writing, WrongUpdate
from .model import SECOND, Levels, Table
from .singles import CANCELLED, CONDITION, INVALID, THROTTLED, Answer, Requests, short

TOKEN_SECONDS = 600


class Groups(Requests):
    """The steps that ask for several items at once."""

    def _some_keys(self, rng: random.Random, count: int) -> list[tuple[Table, Item]]:
        """Keys of one or two tables, none of them twice."""
        chosen = [table for table in (self.table(rng) for _ in range(rng.choice((1, 1, 2)))) if table is not None]
        found: dict[Any, tuple[Table, Item]] = {}
        for _ in range(count if chosen else 0):
            table = rng.choice(chosen)
            key = self.key(rng, table)
            found.setdefault((table.name, table.key(key)), (table, key))
        return list(found.values())

    def _all_levels(self, members: list[tuple[Table, Any]]) -> dict[str, Levels]:
        return {table.name: Levels(table) for table, _ in members}

    def _check_all(self, levels: dict[str, Levels], what: str) -> None:
        for each in levels.values():
            each.check(what)
            each.table.check_contents(what)

    def _check_bills(
        self, shown: list[dict[str, Any]] | None, bills: dict[str, Bill], side: str, detail: str, what: str,
        *, transactional: bool = False,
    ) -> None:  # fmt: skip
        if detail in ("", "NONE"):
            assert shown is None, f"{what}: capacity without being asked for: {shown}"
            return
        by_table = {entry["TableName"]: entry for entry in shown or []}
        assert sorted(entry["TableName"] for entry in shown or []) == sorted(bills), f"{what}: {shown}, not {bills}"
        for name, bill in bills.items():
            self._check_capacity(
                by_table[name], self.tables[name], side, bill, detail, what, transactional=transactional
            )

    # --- batches ------------------------------------------------------------------------------------------------------

    def batch(self, seed: int) -> None:
        """BatchWriteItem or BatchGetItem."""
        rng = random.Random(f"batch {seed}")
        members = self._some_keys(rng, rng.choice((1, 3, 8, 20)))
        if not members:
            return
        if rng.random() < 0.6:
            self._batch_write(rng, members)
        else:
            self._batch_get(rng, members)

    def _batch_write(self, rng: random.Random, members: list[tuple[Table, Item]]) -> None:
        request: dict[str, list[Any]] = {}
        writes: list[tuple[Table, Item, Item | None, Any]] = []
        wrong = False
        big = rng.random() < 0.2
        for table, key in members:
            if rng.random() < 0.3:
                entry: dict[str, Any] = {"DeleteRequest": {"Key": key}}
                writes.append((table, key, None, entry))
            else:
                item = drawing.fill({**drawing.attributes(rng, self.now), **key}, rng, 300 * 1024 if big else None)
                wrong = wrong or table.item_is_wrong(item)
                entry = {"PutRequest": {"Item": item}}
                writes.append((table, key, item, entry))
            request.setdefault(table.name, []).append(entry)
        if rng.random() < 0.03:
            table, key, *_ = rng.choice(writes)
            request[table.name].append({"DeleteRequest": {"Key": key}})
            wrong = True
        body: dict[str, Any] = {"RequestItems": request}
        detail = self.detail(rng, body)
        levels = self._all_levels(members)
        answer = self.send("batch_write_item", **body)
        what = f"batch_write_item {short(body)} answered {answer.code}"
        if wrong:
            assert answer.code == INVALID, what
            self._check_all(levels, what)
            return
        # The service carries a batch out table by table, in the order of the request.
        bills: dict[str, Bill] = {}
        undone: dict[str, list[Any]] = {}
        first: tuple[Table, list[tuple[str | None, str]]] | None = None
        for name in request:
            mine, records = levels[name], []
            for table, key, item, entry in writes:
                if table.name != name:
                    continue
                refusals = mine.refusals([mine.partition(key)], "write")
                if refusals:
                    first = first or (table, refusals)
                    undone.setdefault(name, []).append(entry)
                    for resource, limit in refusals:
                        self.ledger.event(name, resource, "write", limit)
                    continue
                before = table.items.get(table.key(key))
                bill = write_bill(before, item, table.keys, table.indexes)
                mine.take_write(key, before, item, bill)
                bills.setdefault(name, Bill()).add(bill)
                records.append(table.write(key, item, self.now, alone=False))
            stream = self.tables[name].stream
            if stream is not None:  # in which order the members of a batch are done is not said
                stream.groups.append((self.now, self.now, [record for record in records if record is not None]))
        if self._whole_refusal(answer, "batch_write_item", "write", first, bills, what):
            self._check_all(levels, what)
            return
        for name, bill in bills.items():
            self.ledger.consumed(name, "write", bill)
            self.done(name, "batch_write_item")
        left = {name: [*map(_entry, entries)] for name, entries in answer.body["UnprocessedItems"].items()}
        wanted = {name: [*map(_entry, entries)] for name, entries in undone.items()}
        assert left == wanted, f"{what}: {short(answer.body)} left undone, not {short(undone)}"
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "write", detail, what)
        self._check_all(levels, what)

    def _whole_refusal(
        self, answer: Answer, method: str, side: str, first: tuple[Table, list[tuple[str | None, str]]] | None,
        bills: dict[str, Bill], what: str,
    ) -> bool:  # fmt: skip
        """Whether the batch was refused whole, which it must be exactly when nothing of it was admitted."""
        if first is None or bills:
            assert answer.code is None, f"{what}: {answer.body}"
            return False
        assert answer.code in THROTTLED, f"{what}; it should have been refused: {first}"
        table, refusals = first
        self._check_reason(table, side, *refusals[0], answer)
        self.ledger.add("ThrottledRequests", table.name, None, method_name(method))
        return True

    def _batch_get(self, rng: random.Random, members: list[tuple[Table, Item]]) -> None:
        request: dict[str, dict[str, Any]] = {}
        for table, key in members:
            entry = request.setdefault(table.name, {"Keys": [], "ConsistentRead": rng.random() < 0.5})
            entry["Keys"].append(key)
        wrong = rng.random() < 0.04
        if wrong:
            table, key = rng.choice(members)
            request[table.name]["Keys"].append(key if rng.random() < 0.5 else self.wrong_key(rng, table))
        body: dict[str, Any] = {"RequestItems": request}
        detail = self.detail(rng, body)
        levels = self._all_levels(members)
        answer = self.send("batch_get_item", **body)
        what = f"batch_get_item {short(body)} answered {answer.code}"
        if wrong:
            assert answer.code == INVALID, what
            self._check_all(levels, what)
            return
        bills: dict[str, Bill] = {}
        undone: dict[str, list[Item]] = {}
        got: dict[str, list[Item]] = {}
        first: tuple[Table, list[tuple[str | None, str]]] | None = None
        for name in request:
            table, mine = self.tables[name], levels[name]
            for key in request[name]["Keys"]:
                refusals = mine.refusals([mine.partition(key)], "read")
                if refusals:
                    first = first or (table, refusals)
                    undone.setdefault(name, []).append(key)
                    self.ledger.event(name, None, "read", refusals[0][1])
                    continue
                item = table.items.get(table.key(key))
                bill = Bill(read_units(item_bytes(item), 1.0 if request[name]["ConsistentRead"] else 0.5))
                mine.take(None, mine.partition(key), "read", bill.table)
                bills.setdefault(name, Bill()).add(bill)
                if item is not None:
                    got.setdefault(name, []).append(item)
        if self._whole_refusal(answer, "batch_get_item", "read", first, bills, what):
            self._check_all(levels, what)
            return
        for name, bill in bills.items():
            self.ledger.consumed(name, "read", bill)
            self.done(name, "batch_get_item")
        for name in request:
            shown = answer.body["Responses"].get(name, [])
            assert {*map(same_item, shown)} == {*map(same_item, got.get(name, []))}, f"{what}: {short(shown)}"
            left = answer.body["UnprocessedKeys"].get(name, {}).get("Keys", [])
            assert [*map(same_item, left)] == [*map(same_item, undone.get(name, []))], f"{what}: {short(left)} left"
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "read", detail, what)
        self._check_all(levels, what)

    # --- transactions -------------------------------------------------------------------------------------------------

    def transaction(self, seed: int) -> None:
        """TransactWriteItems, TransactGetItems, or a write again with its token."""
        rng = random.Random(f"transaction {seed}")
        if self.tokens and rng.random() < 0.15:
            self._again(rng)
            return
        members = self._some_keys(rng, rng.choice((1, 2, 4, 8)))
        if members and rng.random() < 0.65:
            self._transact_write(rng, members)
        elif members:
            self._transact_get(rng, members)

    def _transaction_refusals(
        self, members: list[tuple[Table, Item]], levels: dict[str, Levels], side: str
    ) -> tuple[Table, list[tuple[str | None, str]]] | None:
        """The first table that refuses, with what does: a transaction is admitted or refused whole."""
        for name, mine in levels.items():
            partitions = list(dict.fromkeys(mine.partition(key) for table, key in members if table.name == name))
            refusals = mine.refusals(partitions, side)
            if refusals:
                return mine.table, refusals
        return None

    def _transact_write(self, rng: random.Random, members: list[tuple[Table, Item]]) -> None:
        actions: list[dict[str, Any]] = []
        plans: list[tuple[Table, Item, str, Any, Any]] = []
        static = cancels = False
        for table, key in members:
            kind = rng.choice(("Put", "Put", "Update", "Delete", "ConditionCheck"))
            writing = Writing()
            action: dict[str, Any] = {"TableName": table.name}
            detail: Any = None
            if kind == "Put":
                detail = drawing.fill({**drawing.attributes(rng, self.now), **key}, rng)
                action["Item"] = detail
                if table.item_is_wrong(detail):
                    by_type = any(
                        name in detail and table.types[name] not in detail[name]
                        for index in table.indexes
                        for name in index.keys
                    )
                    cancels, static = cancels or by_type, static or not by_type
            else:
                action["Key"] = key
            if kind == "Update":
                detail = drawing.update(rng, self.now, table.keys)
                action["UpdateExpression"] = drawing.update_text(detail, writing)
            condition = None
            if kind == "ConditionCheck" or rng.random() < 0.15:
                condition = drawing.condition(rng, (*table.keys, *drawing.FREE, "n"))
                if rng.random() < 0.5 and kind == "ConditionCheck":
                    condition = ("not", ("and", ("exists", "a"), ("missing", "a")))  # always true
                action["ConditionExpression"] = drawing.written(condition, writing)
            actions.append({kind: writing.into(action)})
            plans.append((table, key, kind, detail, condition))
        body: dict[str, Any] = {"TransactItems": actions}
        asked = self.detail(rng, body)
        token = f"token-{rng.randrange(1000)}" if rng.random() < 0.3 else None
        if token is not None and token not in self.tokens:
            body["ClientRequestToken"] = token
        levels = self._all_levels(members)
        answer = self.send("transact_write_items", **body)
        what = f"transact_write_items {short(body)} answered {answer.code}"
        if static or cancels:
            assert answer.code in {INVALID if static else None, CANCELLED if cancels else None}, what
            self._check_all(levels, what)
            return
        refused = self._transaction_refusals(members, levels, "write")
        if refused is not None:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refused}"
            self.refused(refused[0], "transact_write_items", "write", refused[1], answer)
            self._check_all(levels, what)
            return
        assert answer.code not in THROTTLED, f"{what}; nothing should have refused it: {answer.body}"
        codes = self._outcomes(plans)
        if any(code != "None" for code in codes):
            assert answer.code == CANCELLED, f"{what}; it should have been cancelled: {codes}"
            shown = [reason["Code"] for reason in answer.body["CancellationReasons"]]
            assert shown == codes, f"{what}: {shown}, not {codes}"
            for (table, key, *_), code in zip(plans, codes, strict=True):
                bill = Bill(2.0 * write_units(item_bytes(table.items.get(table.key(key)))))
                levels[table.name].take(None, levels[table.name].partition(key), "write", bill.table)
                self.ledger.consumed(table.name, "write", bill)
                if code == "ConditionalCheckFailed":
                    self.ledger.add("ConditionalCheckFailedRequests", table.name)
            self._check_all(levels, what)
            return
        assert answer.code is None, f"{what}: {short(answer.body)}"
        bills: dict[str, Bill] = {}
        reads = []
        for table, key, kind, detail, _ in plans:
            before = table.items.get(table.key(key))
            after = {"Put": detail, "Delete": None, "ConditionCheck": before}.get(kind)
            if kind == "Update":
                after = drawing.updated(detail, key, before)
            bill = write_bill(before, after, table.keys, table.indexes, factor=2)
            levels[table.name].take_write(key, before, after, bill)
            bills.setdefault(table.name, Bill()).add(bill)
            if kind != "ConditionCheck":
                table.write(key, after, self.now)
            reads.append((table.name, key, read_units(max(item_bytes(before), item_bytes(after)), 2.0)))
        for name, bill in bills.items():
            self.ledger.consumed(name, "write", bill)
            self.done(name, "transact_write_items")
        if "ClientRequestToken" in body:
            self.tokens[body["ClientRequestToken"]] = (self.now, body, reads, {n: self.tables[n].born for n in bills})
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "write", asked, what, transactional=True)
        self._check_all(levels, what)

    def _outcomes(self, plans: list[tuple[Table, Item, str, Any, Any]]) -> list[str]:
        """The code of each action: all conditions are judged first, then the first action that cannot be done."""
        codes = []
        for table, key, _, _, condition in plans:
            holds = condition is None or drawing.holds(condition, table.items.get(table.key(key)))
            codes.append("None" if holds else "ConditionalCheckFailed")
        if any(code != "None" for code in codes):
            return codes
        for place, (table, key, kind, detail, _) in enumerate(plans):
            if kind == "Update":
                try:
                    if table.item_is_wrong(drawing.updated(detail, key, table.items.get(table.key(key)))):
                        raise WrongUpdate
                except WrongUpdate:
                    codes[place] = "ValidationError"
                    return codes
        return codes

    def _again(self, rng: random.Random) -> None:
        """The same transaction with the same token: within ten minutes it is read, not written."""
        token = rng.choice(sorted(self.tokens))
        when, body, reads, born = self.tokens[token]
        if self.now > when + (TOKEN_SECONDS - 1) * SECOND or any(
            name not in self.tables or self.tables[name].born != of for name, of in born.items()
        ):
            del self.tokens[token]
            return
        members = [(self.tables[name], key) for name, key, _ in reads]
        levels = self._all_levels(members)
        answer = self.send("transact_write_items", **body)
        what = f"transact_write_items again with {token} answered {answer.code}"
        refused = self._transaction_refusals(members, levels, "read")
        if refused is not None:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refused}"
            self.refused(refused[0], "transact_write_items", "read", refused[1], answer)
            self._check_all(levels, what)
            return
        assert answer.code is None, f"{what}: {answer.body}"
        bills: dict[str, Bill] = {}
        for name, key, units in reads:
            bill = Bill(units)
            levels[name].take(None, levels[name].partition(key), "read", units)
            bills.setdefault(name, Bill()).add(bill)
        for name, bill in bills.items():
            self.ledger.consumed(name, "read", bill)
            self.done(name, "transact_write_items")
        asked = body.get("ReturnConsumedCapacity", "")
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "read", asked, what, transactional=True)
        self._check_all(levels, what)

    def _transact_get(self, rng: random.Random, members: list[tuple[Table, Item]]) -> None:
        body: dict[str, Any] = {"TransactItems": [{"Get": {"TableName": t.name, "Key": key}} for t, key in members]}
        asked = self.detail(rng, body)
        levels = self._all_levels(members)
        items = [table.items.get(table.key(key)) for table, key in members]
        answer = self.send("transact_get_items", **body)
        what = f"transact_get_items {short(body)} answered {answer.code}"
        if sum(map(item_bytes, items)) > 4 * 1024 * 1024:
            assert answer.code == INVALID, what
            self._check_all(levels, what)
            return
        if self._reads_refused(answer, "transact_get_items", "", members, levels, what):
            return
        bills = self._transactional_reads(members, items, levels, "transact_get_items", "")
        shown = [same_item(entry.get("Item")) for entry in answer.body["Responses"]]
        assert shown == [*map(same_item, items)], f"{what}: {short(answer.body)}"
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "read", asked, what, transactional=True)
        self._check_all(levels, what)

    def _reads_refused(
        self, answer: Answer, method: str, more: str, members: list[tuple[Table, Item]], levels: dict[str, Levels],
        what: str,
    ) -> bool:  # fmt: skip
        refused = self._transaction_refusals(members, levels, "read")
        if refused is None:
            assert answer.code is None, f"{what}: {answer.body}"
            return False
        assert answer.code in THROTTLED, f"{what}; it should have been refused: {refused}"
        self.refused(refused[0], method, "read", refused[1], answer, more)
        self._check_all(levels, what)
        return True

    def _transactional_reads(
        self, members: list[tuple[Table, Item]], items: list[Item | None], levels: dict[str, Levels], method: str,
        more: str,
    ) -> dict[str, Bill]:  # fmt: skip
        bills: dict[str, Bill] = {}
        for (table, key), item in zip(members, items, strict=True):
            bill = Bill(read_units(item_bytes(item), 2.0))
            levels[table.name].take(None, levels[table.name].partition(key), "read", bill.table)
            bills.setdefault(table.name, Bill()).add(bill)
        for name, bill in bills.items():
            self.ledger.consumed(name, "read", bill)
            self.done(name, method, more)
        return bills

    # --- PartiQL ------------------------------------------------------------------------------------------------------

    def statement(self, seed: int) -> None:
        """ExecuteStatement, BatchExecuteStatement or ExecuteTransaction."""
        rng = random.Random(f"statement {seed}")
        members = self._some_keys(rng, rng.choice((1, 1, 2, 5)))
        if not members:
            return
        reads = rng.random() < 0.4
        plans = [self._statement(rng, table, key, reads) for table, key in members]
        if len(plans) == 1 and rng.random() < 0.8:
            self._execute(rng, plans[0])
        elif rng.random() < 0.5:
            self._execute_batch(rng, plans, reads)
        else:
            self._execute_transaction(rng, plans, reads)

    def _statement(self, rng: random.Random, table: Table, key: Item, read: bool) -> dict[str, Any]:
        """A statement on one item: what it says, and what it stands for."""
        where = " AND ".join(f'"{name}" = ?' for name in table.keys)
        values = [key[name] for name in table.keys]
        plan: dict[str, Any] = {"table": table, "key": key}
        if read:
            return plan | {"verb": "SELECT", "text": f'SELECT * FROM "{table.name}" WHERE {where}', "values": values}
        verb = rng.choice(("INSERT", "INSERT", "UPDATE", "UPDATE", "DELETE"))
        plan["verb"] = verb
        if verb == "INSERT":
            item = {**key, "n": {"N": str(rng.randint(0, 9))}, "a": drawing.any_value(rng)}
            if rng.random() < 0.5:
                item["g1"] = drawing.key_value(rng, "S", 3)
            item = drawing.fill(item, rng, rng.choice((None, None, 1500, 30_000)))
            members = ", ".join(f"'{name}': ?" for name in item)
            return plan | {
                "text": f'INSERT INTO "{table.name}" VALUE {{{members}}}',
                "values": list(item.values()),
                "item": item,
            }
        if verb == "UPDATE":
            value = drawing.any_value(rng)
            plan["actions"] = [("set", "b", value), ("remove", "a")]
            return plan | {
                "text": f'UPDATE "{table.name}" SET "b" = ? REMOVE "a" WHERE {where}',
                "values": [value, *values],
            }
        return plan | {"text": f'DELETE FROM "{table.name}" WHERE {where}', "values": values}

    @staticmethod
    def _asked(plan: dict[str, Any]) -> dict[str, Any]:
        return {"Statement": plan["text"], "Parameters": plan["values"]}

    def _fate(self, plan: dict[str, Any]) -> tuple[str | None, Item | None, Item | None]:
        """What becomes of a statement that is admitted: the code of its error or None, the item before and after."""
        table, key, verb = plan["table"], plan["key"], plan["verb"]
        before = table.items.get(table.key(key))
        if verb == "SELECT":
            return None, before, before
        if verb == "INSERT":
            return ("DuplicateItem" if before is not None else None), before, plan["item"]
        if verb == "UPDATE":
            if before is None:
                return "ConditionalCheckFailed", None, None
            after = drawing.updated(plan["actions"], key, before)
            return ("ValidationError" if table.item_is_wrong(after) else None), before, after
        return None, before, None

    def _carry_out(self, plan: dict[str, Any], levels: Levels) -> tuple[str | None, Bill | None, Item | None]:
        """Foretell and enter one admitted statement: the code of its error, the units if done, the item read."""
        table, key, verb = plan["table"], plan["key"], plan["verb"]
        code, before, after = self._fate(plan)
        if verb == "SELECT":
            bill = Bill(read_units(item_bytes(before), 0.5))
            levels.take(None, levels.partition(key), "read", bill.table)
            self.ledger.consumed(table.name, "read", bill)
            return None, bill, before
        if code == "ValidationError":
            return code, None, None
        if code is not None:
            bill = Bill(float(write_units(item_bytes(before))))
            levels.take(None, levels.partition(key), "write", bill.table)
            self.ledger.consumed(table.name, "write", bill)
            self.ledger.add("ConditionalCheckFailedRequests", table.name)
            return code, None, None
        bill = write_bill(before, after, table.keys, table.indexes)
        levels.take_write(key, before, after, bill)
        self.ledger.consumed(table.name, "write", bill)
        table.write(key, after, self.now)
        return None, bill, None

    def _execute(self, rng: random.Random, plan: dict[str, Any]) -> None:
        table, key, verb = plan["table"], plan["key"], plan["verb"]
        body = self._asked(plan)
        detail = self.detail(rng, body)
        levels = Levels(table)
        answer = self.send("execute_statement", **body)
        what = f"execute_statement {short(body)} answered {answer.code}"
        more = f"/PartiQL{verb.capitalize()}"
        side = "read" if verb == "SELECT" else "write"
        if verb == "INSERT" and table.item_is_wrong(plan["item"]):
            assert answer.code == INVALID, what
            self._unchanged(table, levels, what)
            return
        refusals = levels.refusals([levels.partition(key)], side)
        if refusals:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refusals}"
            self.refused(table, "execute_statement", side, refusals, answer, more)
            self._unchanged(table, levels, what)
            return
        code, bill, item = self._carry_out(plan, levels)
        wanted = {"DuplicateItem": "DuplicateItemException", "ConditionalCheckFailed": CONDITION,
                  "ValidationError": INVALID, None: None}[code]  # fmt: skip
        assert answer.code == wanted, f"{what}: {answer.body}"
        if bill is not None:
            shown = answer.body["Items"]
            assert [*map(same_item, shown)] == ([same_item(item)] if item is not None else []), (
                f"{what}: {short(shown)}"
            )
            self.done(table.name, "execute_statement", more, returned=len(shown) if verb == "SELECT" else None)
            self._check_capacity(answer.body.get("ConsumedCapacity"), table, side, bill, detail, what)
        self._unchanged(table, levels, what)

    def _execute_batch(self, rng: random.Random, plans: list[dict[str, Any]], reads: bool) -> None:
        body: dict[str, Any] = {"Statements": [self._asked(plan) for plan in plans]}
        detail = self.detail(rng, body)
        levels = self._all_levels([(plan["table"], None) for plan in plans])
        side, more = ("read", "/Read") if reads else ("write", "/Write")
        answer = self.send("batch_execute_statement", **body)
        what = f"batch_execute_statement {short(body)} answered {answer.code}"
        assert answer.code is None, what
        bills: dict[str, Bill] = {}
        used: dict[str, None] = {}
        refused: list[Table] = []
        for plan, response in zip(plans, answer.body["Responses"], strict=True):
            table, mine = plan["table"], levels[plan["table"].name]
            error = response.get("Error", {}).get("Code")
            if plan["verb"] == "INSERT" and table.item_is_wrong(plan["item"]):
                assert error == "ValidationError", f"{what}: {response}"
                continue
            refusals = mine.refusals([mine.partition(plan["key"])], side)
            if refusals:
                refused.append(table)
                for resource, limit in refusals:
                    self.ledger.event(table.name, resource, side, limit)
                throttled = ("ProvisionedThroughputExceeded", "ThrottlingError", "RequestLimitExceeded")
                assert error in throttled, f"{what}: {response}"
                continue
            code, bill, item = self._carry_out(plan, mine)
            assert error == code, f"{what}: {response}, not {code}"
            assert same_item(response.get("Item")) == same_item(item), f"{what}: {response}"
            if code != "ValidationError":
                used[table.name] = None
            if bill is not None:
                bills.setdefault(table.name, Bill()).add(bill)
        if len(refused) == len(plans):
            self.ledger.add("ThrottledRequests", refused[0].name, None, f"BatchExecuteStatement{more}")
        for name in used:
            self.done(name, "batch_execute_statement", more)
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, side, detail if bills else "", what)
        self._check_all(levels, what)

    def _execute_transaction(self, rng: random.Random, plans: list[dict[str, Any]], reads: bool) -> None:
        body: dict[str, Any] = {"TransactStatements": [self._asked(plan) for plan in plans]}
        detail = self.detail(rng, body)
        members = [(plan["table"], plan["key"]) for plan in plans]
        levels = self._all_levels(members)
        answer = self.send("execute_transaction", **body)
        what = f"execute_transaction {short(body)} answered {answer.code}"
        more = "/Read" if reads else "/Write"
        if reads:
            if self._reads_refused(answer, "execute_transaction", more, members, levels, what):
                return
            items = [table.items.get(table.key(key)) for table, key in members]
            bills = self._transactional_reads(members, items, levels, "execute_transaction", more)
            shown = [same_item(entry.get("Item")) for entry in answer.body["Responses"]]
            assert shown == [*map(same_item, items)], f"{what}: {short(answer.body)}"
            self._check_bills(answer.body.get("ConsumedCapacity"), bills, "read", detail, what, transactional=True)
            self._check_all(levels, what)
            return
        if any(plan["verb"] == "INSERT" and plan["table"].item_is_wrong(plan["item"]) for plan in plans):
            assert answer.code in (INVALID, CANCELLED), what
            self._check_all(levels, what)
            return
        refused = self._transaction_refusals(members, levels, "write")
        if refused is not None:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refused}"
            self.refused(refused[0], "execute_transaction", "write", refused[1], answer, more)
            self._check_all(levels, what)
            return
        fates = [self._fate(plan) for plan in plans]
        failed = [code if code in ("DuplicateItem", "ConditionalCheckFailed") else None for code, _, _ in fates]
        if not any(failed):
            firsts = [place for place, (code, _, _) in enumerate(fates) if code is not None][:1]
            failed = [fates[place][0] if place in firsts else None for place in range(len(fates))]
        if any(failed):
            assert answer.code == CANCELLED, f"{what}; it should have been cancelled: {failed}"
            shown = [reason["Code"] for reason in answer.body["CancellationReasons"]]
            assert shown == [code or "None" for code in failed], f"{what}: {shown}, not {failed}"
            for plan, code, (_, before, _) in zip(plans, failed, fates, strict=True):
                bill = Bill(2.0 * write_units(item_bytes(before)))
                mine = levels[plan["table"].name]
                mine.take(None, mine.partition(plan["key"]), "write", bill.table)
                self.ledger.consumed(plan["table"].name, "write", bill)
                if code in ("DuplicateItem", "ConditionalCheckFailed"):
                    self.ledger.add("ConditionalCheckFailedRequests", plan["table"].name)
            self._check_all(levels, what)
            return
        assert answer.code is None, f"{what}: {answer.body}"
        bills = {}
        for plan, (_, before, after) in zip(plans, fates, strict=True):
            table, key = plan["table"], plan["key"]
            bill = write_bill(before, after, table.keys, table.indexes, factor=2)
            levels[table.name].take_write(key, before, after, bill)
            bills.setdefault(table.name, Bill()).add(bill)
            table.write(key, after, self.now)
        for name, bill in bills.items():
            self.ledger.consumed(name, "write", bill)
            self.done(name, "execute_transaction", more)
        self._check_bills(answer.body.get("ConsumedCapacity"), bills, "write", detail, what, transactional=True)
        self._check_all(levels, what)


def _entry(entry: dict[str, Any]) -> Any:
    """A member of BatchWriteItem, however its numbers are written."""
    ((kind, content),) = entry.items()
    return kind, same_item(content.get("Item") or content.get("Key"))


def method_name(method: str) -> str:
    """``batch_get_item`` as CloudWatch has it."""
    return "".join(word.capitalize() for word in method.split("_"))
