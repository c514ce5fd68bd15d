"""Traffic: real boto3 calls in simulated time, steady loads by arithmetic, and a real grocer's year."""
