"""The window: table twin, prompts, wizards, reports. `ui.app` alone puts the house together."""
