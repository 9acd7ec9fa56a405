"""The commands that need more than one room: each module puts together what its commands use."""
