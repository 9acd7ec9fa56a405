"""One game in progress: referee, ledger, journal, open prompts, and several sources merged into one."""
