"""Parts of pictures."""

from vision.parts import widened


def test_a_part_is_widened_as_far_as_the_picture_goes() -> None:
    part = slice(5, 10), slice(20, 28)

    assert widened(part, (40, 30, 3), (4, 3)) == (slice(1, 14), slice(17, 30))
    assert widened(part, (12, 60), (9, 25)) == (slice(0, 12), slice(0, 53))
