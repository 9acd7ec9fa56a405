"""The options of ``moontable demo``."""

from __future__ import annotations

import argparse

import pytest

from companion.commands import Commands
from ui.commands import demo


@pytest.mark.parametrize("faults", ["2", "-0.1", "nan", "inf", "much"])
def test_a_share_of_faults_is_a_probability(faults: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Anything else would wait for ever; it is refused as a matter of usage."""
    parser = argparse.ArgumentParser()
    commands: Commands = parser.add_subparsers()
    demo.add_commands(commands)
    with pytest.raises(SystemExit) as refused:
        parser.parse_args(["demo", "--sensors", f"--faults={faults}"])

    assert refused.value.code == 2
    assert "--faults" in capsys.readouterr().err
