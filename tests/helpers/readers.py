"""Every reader of files that Moontable has, with a sound sample for each: what spoiled files are tried on.

A new reader joins by one more line in `READERS`.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial as of
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np

from calibration.corrections import read_corrections, write_corrections
from calibration.layout import layout_text, read_layout
from calibration.pointed_board import read_pointed_board
from calibration.profile import FaceRecord, LensRecord, PieceRecord, Profile
from calibration.sensors import SensorProfile, Tag
from calibration.store import export_profile, load_profile, save_profile
from companion.game import Json
from companion.games import registry
from companion.games.blue_moon_city.layout import table_layout
from companion.observation import Observation, Query, Sighting
from companion.people.seating import read_seats, write_seats
from companion.people.store import PeopleStore
from companion.record.game_record import format_object, game_of, parse_object, read_record, write_record
from companion.session.bug_report import BugReport, read_report, replay, write_report
from companion.session.journal import Journal, journal_files
from companion.session.ledger import read_game
from companion.session.library import CACHE, Library
from companion.session.referee import Referee
from companion.session.watch import open_journal
from companion.storage.strict import read_bytes
from companion.table import Picture
from firmware_bridge.recording import Chunk, Direction, FrameLog, read_log
from firmware_bridge.recording import replay as replay_log
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.wire.link import Link
from ui.commands.cards import card_order
from ui.last_table import LastTable, last_table, remember_table
from ui.settings import Settings, read_settings, write_settings
from vision.capture.recorder import Recorder
from vision.capture.sources import Frame, open_picture_file, open_source
from vision.diagnostics.cases import keep_case, load_cases
from vision.diagnostics.cases import replay as replay_cases
from vision.enrolment.from_files import read_tiles
from vision.faces.registration import Face
from vision.pieces.face_library import encode_face, face_shape
from vision.reader import Reader as TableReader
from vision.simulation.art import OBELISK
from vision.simulation.camera import SimulatedCamera

LENGTH: Final = 12
NEVER: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One way in.

    Attributes:
        name: for people.
        make: writes a sound sample into an empty folder and returns what is to be read.
        read: reads it; raises CompanionError or OSError where it is refused.
        spoils: names of the files that are spoiled, as patterns; one at a time.
        falls_back: it returns this for what it refuses, and says so in the log.
        writes: names of files that it may write beside those that it reads.
        share: of the tries; less than 1 where one takes long.
    """

    name: str
    make: Callable[[Path], Path]
    read: Callable[[Path], object]
    spoils: str = "**/*"
    falls_back: object = NEVER
    writes: tuple[str, ...] = ()
    share: float = 1.0


# -- games ------------------------------------------------------------------------------------------


@functools.cache
def some_game(name: str) -> tuple[Any, Json, tuple[Any, ...], Any]:
    """Return a game, the header of an open one, its first actions and the state after them."""
    game = registry.lookup(name)
    rng = random.Random(5)
    header = game.deal(rng, {"players": 2} if name != "blue_moon_legends" else {})
    state, actions = game.start(header), []
    choose = game.random_player(rng)
    while len(actions) < LENGTH and game.result(state) is None:
        actions.append(game.with_chance(state, choose(state), rng))
        state, _ = game.apply(state, actions[-1])
    return game, header, tuple(actions), state


def _write_record(name: str, folder: Path) -> Path:
    game, header, actions, _ = some_game(name)
    file = folder / "a.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        write_record(stream, game, header, actions, checkpoints=True)
    return file


def _write_table(name: str, folder: Path) -> Path:
    game, _, _, state = some_game(name)
    file = folder / "table.json"
    file.write_text(format_object(game.format_table(game.predict(state))), "utf-8")
    return file


def _explain_table(name: str, file: Path) -> object:
    game, _, _, state = some_game(name)
    picture = game.parse_table(parse_object(read_bytes(file)))
    return game.explain(state, Query(picture=picture)).text


def _write_header(name: str, folder: Path) -> Path:
    file = folder / "header.json"
    file.write_text(format_object(some_game(name)[1]), "utf-8")
    return file


def _begin(name: str, file: Path) -> object:
    header = parse_object(read_bytes(file))
    journal = open_journal(file.with_name("new.moontable"), header, registry.lookup(name))
    journal.close()
    return header


def _write_journal(name: str, folder: Path) -> Path:
    game, header, actions, _ = some_game(name)
    file = folder / "a.moontable"
    with Journal.create(file, header, clock=lambda: 1.0) as journal:
        referee = Referee(game, journal)
        for action in actions:
            referee.enter(action)
        referee.undo()
        referee.redo()
        journal.append("evidence", {"entry": 1}, b"\xff\xd8 picture")
    return file


def _resume(file: Path) -> object:
    with Journal.open(file, check=read_game) as journal:
        game = game_of(journal.header)
        return game.describe(Referee(game, journal).state)


def _write_library(folder: Path) -> Path:
    for file in journal_files(_write_journal("blue_moon_city", folder)):
        file.rename(folder / f"b{file.name[1:]}")
    _write_journal("nova_luna", folder)
    Library(folder).games()
    return folder


def _list_games(folder: Path) -> object:
    """Read the list; the game that was not spoiled must be in it."""
    games = Library(folder).games()
    assert any(not game.trouble for game in games), "one bad file hides the other games"
    return games


# -- what was seen ----------------------------------------------------------------------------------


def _seen(picture: Picture, seq: int) -> Observation:
    sightings = {
        where: Sighting(place=where, value=value, confidence=0.99) for where, value in picture.items()
    }
    return Observation(source="camera", seq=seq, seen_at_s=seq / 5, sightings=sightings)


def _write_bundle(name: str, folder: Path) -> Path:
    game, header, actions, state = some_game(name)
    file = folder / "report.zip"
    lines = tuple(game.format_action(action) for action in actions)
    observations = tuple(_seen(game.predict(state), seq) for seq in range(4))
    write_report(
        file,
        BugReport(
            header=header, actions=lines, observations=observations, decision="so", pictures=(b"a", b"b")
        ),
    )
    return file


def _replay_bundle(file: Path) -> object:
    bundle = read_report(file)
    return replay(bundle, game_of(bundle.header))


@functools.cache
def some_frame() -> np.ndarray[Any, Any]:
    """Return a picture of a table with its fiducials and nothing else."""
    return SimulatedCamera(table_layout(), [], {}, size_wh=(640, 360)).frame({})


def _packed(suffix: str) -> bytes:
    done, packed = cv2.imencode(suffix, some_frame()[:120, :160])
    assert done
    return packed.tobytes()


def _write_picture(suffix: str, folder: Path) -> Path:
    file = folder / f"a{suffix}"
    file.write_bytes(_packed(suffix))
    return file


def _write_recording(folder: Path) -> Path:
    recorder = Recorder(folder)
    for seq in range(3):
        packed = _packed(".jpg")
        image = some_frame()[:120, :160]
        recorder.write(Frame(image=image, seq=seq, seen_at_s=seq / 5, name=f"f{seq}", packed=packed))
    recorder.close()
    return folder


def _play_source(path: Path) -> object:
    return [frame.seq for frame in open_source(str(path)).frames()]


def _write_frame_log(folder: Path) -> Path:
    log = FrameLog(folder / "a.ring")
    log.write(Chunk(0.0, "|", b""))
    board, link = DoubleBoard(), Link(lambda: 7)
    for step in range(400):
        board.run(2000)
        board.set_presence(step % 5, present=step % 3 == 0)
        told, now_s = board.take(), step * 0.002
        link.feed(told, now_s)
        link.poll(now_s)
        said = link.take_output()
        board.feed(said)
        for direction, data in (("<", told), (">", said)):
            if data:
                log.write(Chunk(now_s, cast(Direction, direction), data))
    log.close()
    return folder / "a.ring"


# -- what was learnt --------------------------------------------------------------------------------


@functools.cache
def some_profile() -> Profile:
    """Return a profile with two faces, the board, pieces, a lens and a sensor table's set-up."""
    rng = np.random.default_rng(3)
    pictures: dict[str, bytes] = {}

    def face(name: str, size_mm: tuple[float, float], boxes: tuple[tuple[float, float], ...]) -> FaceRecord:
        shape = face_shape(*size_mm)
        picture = rng.random((*shape, 3), dtype=np.float32)
        valid = np.ones(shape, np.bool_)
        file = name.replace("/", "-") + ".png"
        pictures[file] = encode_face(Face(name=name, picture=picture, valid=valid))
        return FaceRecord(
            name=name,
            picture=file,
            width_mm=size_mm[0],
            height_mm=size_mm[1],
            boxes_mm=boxes,
            box_edge_mm=11.0,
        )

    layout = replace(table_layout(), board=OBELISK)
    faces = (face("mill/sketch", (60, 60), ((-13.0, -20.0), (0.0, -20.0))), face("mill/built", (60, 60), ()))
    board = face("board", (66, 166), OBELISK.boxes_mm)
    kinds = (
        ("marker", "purple", (150, 40, 90)),
        ("figure", "purple", (150, 40, 90)),
        ("dragon", "fire", (30, 30, 200)),
    )
    return Profile(
        edition="kosmos-2006",
        players=("purple", "white"),
        layout=layout,
        faces=faces,
        board=board,
        pieces=tuple(PieceRecord(kind=kind, name=name, palette=(shade,)) for kind, name, shade in kinds),
        lens=LensRecord(size_wh=(640, 360), focal_px=500.0, centre_px=(320.0, 180.0), k1=-0.1, k2=0.01),
        sensors=SensorProfile(
            tags={7: Tag("tile", "mill", "sketch")}, spots=((512, 64),), colours={"purple": (90, 0, 90)}
        ),
        pictures=pictures,
    )


def _write_profile(folder: Path) -> Path:
    save_profile(some_profile(), folder)
    return folder


def _write_exported(folder: Path) -> Path:
    export_profile(some_profile(), folder / "a.zip")
    return folder / "a.zip"


def _read_with(where: Path) -> object:
    reader = TableReader(load_profile(where))
    return reader.read(some_frame(), seq=1, seen_at_s=1.0, source="camera")


def _write_layout(folder: Path) -> Path:
    (folder / "layout.json").write_text(layout_text(table_layout()), "utf-8")
    return folder / "layout.json"


def _write_corrections(folder: Path) -> Path:
    write_corrections(folder, {"mill": {"boxes": [4, 2], "majority": {"cards": 1}, "colour": "aqua"}})
    return folder


def _correct(folder: Path) -> object:
    return registry.lookup("blue_moon_city").corrected(read_corrections(folder)).name


def _write_cases(folder: Path) -> Path:
    picture = _write_picture(".png", folder).rename(folder.parent / "case.png")
    game, _, _, state = some_game("blue_moon_city")
    keep_case(folder, "one", picture, some_profile(), truth=game.predict(state), corrected={})
    return folder


def _replay_cases(folder: Path) -> object:
    return [one.right for one in replay_cases(load_cases(folder))]


# -- what is kept for the window --------------------------------------------------------------------


def _write_settings(folder: Path) -> Path:
    write_settings(folder, Settings(theme="dark", scale=1.3, language="uk", table_light=0.5))
    return folder


def _write_last_table(folder: Path) -> Path:
    remember_table(LastTable(camera="camera:1", profile="box"), "one.moontable", folder)
    return folder


def _write_people(folder: Path) -> Path:
    store = PeopleStore(folder / "people.json", clock=lambda: 1.5, new_id=lambda: "a1")
    store.add("Zoë", "red")
    return store.file


def _write_seats(folder: Path) -> Path:
    write_seats(folder / "a.moontable", {"red": "a1", "blue": "b2"})
    return folder


def _write_json(value: object, folder: Path) -> Path:
    (folder / "a.json").write_text(json.dumps(value), "utf-8")
    return folder / "a.json"


def _of_games() -> tuple[Reader, ...]:
    found: list[Reader] = []
    for name in registry.NAMES:
        found += [
            Reader(name=f"record {name}", make=of(_write_record, name), read=read_record),
            Reader(
                name=f"table {name}",
                make=of(_write_table, name),
                read=of(_explain_table, name),
                share=0.2,
            ),
            Reader(
                name=f"header {name}",
                make=of(_write_header, name),
                read=of(_begin, name),
                writes=("new.moontable",),
            ),
            Reader(name=f"journal {name}", make=of(_write_journal, name), read=_resume, share=0.5),
            Reader(name=f"report {name}", make=of(_write_bundle, name), read=_replay_bundle, share=0.3),
        ]
    return tuple(found)


READERS: Final = (
    *_of_games(),
    Reader(
        name="past games",
        make=_write_library,
        read=_list_games,
        writes=(CACHE,),
        spoils="a.moontable",
        share=0.3,
    ),
    Reader(name="summaries", make=_write_library, read=_list_games, writes=(CACHE,), spoils=CACHE, share=0.3),
    Reader(name="profile folder", make=_write_profile, read=_read_with, share=0.2),
    Reader(name="profile zip", make=_write_exported, read=_read_with, share=0.2),
    Reader(name="layout", make=_write_layout, read=read_layout),
    Reader(name="corrections", make=_write_corrections, read=_correct),
    Reader(name="cases", make=_write_cases, read=_replay_cases, share=0.2),
    Reader(name="recording", make=_write_recording, read=_play_source),
    Reader(name="frame log", make=_write_frame_log, read=lambda file: replay_log(read_log(file))),
    *(
        Reader(name=f"picture {suffix}", make=of(_write_picture, suffix), read=open_picture_file)
        for suffix in (".jpg", ".png", ".bmp", ".webp", ".tif", ".ppm")
    ),
    Reader(name="settings", make=_write_settings, read=read_settings, falls_back=Settings()),
    Reader(
        name="last table",
        make=_write_last_table,
        read=lambda folder: last_table(folder=folder),
        falls_back=None,
    ),
    Reader(name="people", make=_write_people, read=lambda file: PeopleStore(file).read()),
    Reader(
        name="seats",
        make=_write_seats,
        read=lambda folder: read_seats(folder / "a.moontable"),
        falls_back={},
    ),
    Reader(name="order of cards", make=of(_write_json, ["aqua-1", "hoax-3"]), read=card_order),
    Reader(
        name="tiles on cells",
        make=of(_write_json, {"0,1": "mill", "2,2": "courtyard"}),
        read=lambda file: read_tiles(file, registry.components(registry.DEFAULT)),
    ),
    Reader(
        name="pointed board",
        make=of(
            _write_json,
            {
                "picture": "sketch",
                "boxes_px": [[100 + 9.5 * n, 200.25] for n in range(13)],
                "outline_px": [[90, 190], [230, 190], [230, 210]],
            },
        ),
        read=lambda file: read_pointed_board(file, 13),
    ),
)
