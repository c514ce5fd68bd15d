"""DynamoDB's rules as pure functions and small state: sizes, units, key ranges, meters, admission. The ground floor."""
