"""From a frame to an observation: what lies where, how surely, and what cannot be seen.

A place that is covered, burnt out or not understood is left out: nothing is ever claimed empty unless it was
seen to be empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from calibration.layout import TableLayout
from calibration.profile import PieceRecord, Profile
from companion.observation import Observation, Sighting
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from vision.arrays import Picture8, Singles
from vision.capture.image_pyramid import ImagePyramid
from vision.faces.locator import Locator
from vision.faces.registration import Match
from vision.faces.residuals import COARSE_PX, Residual
from vision.faces.scene import Plane, Surveyor, Window
from vision.faces.tile_locator import TileLocator
from vision.faces.tiles import Fields, Sought
from vision.geometry.cells import cell_window, neighbours
from vision.photometry.light import LightFit, gray_of, is_colourless
from vision.photometry.tone_curve import tone_of, without_tone
from vision.pieces.board import read_board
from vision.pieces.borders import find_by_border, residual_edges
from vision.pieces.boxes import BARE_ENOUGH, BoxReader
from vision.pieces.city_map import CityMap, CityMapper, common_light
from vision.pieces.classifier import (
    TOO_SOFT_MM,
    classify_cell,
    classify_standing,
    is_far_ahead,
    is_half_lost,
    is_plain,
    is_plainly_bordered,
    markers_in_place,
    may_be_figure,
)
from vision.pieces.face_library import FaceLibrary
from vision.pieces.figures import Paint, Standing, find_standing
from vision.pieces.finder import Finder
from vision.pieces.findings import Claims, Findings, Proof, claim
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker, box_features, place_of_box
from vision.pieces.occluders import Cover, find_cover
from vision.pieces.occlusion import Occlusion
from vision.pieces.patches import markers_in_place_of
from vision.pieces.pile import PLACE as PILE

# A tile that was expected is taken without looking at all others when it agrees at least so well.
_CONVINCING = 0.6
_CERTAIN = 0.99
# One that was there is still there when it agrees so well, and nearly as well as before.
_STILL_THERE, _FADED = 0.68, 0.1
# How surely a tile is right that figures mostly cover, that lies nowhere else and that the game expects, that
# agrees far better than its other side, or that markers lie on.
_FORESEEN = 0.95
# How surely a figure stands where there may be markers of its colour.
_AMONG_MARKERS = 0.97
# With a hand about, a tile that agrees less well is perhaps half under it.
_PLAIN_BESIDE_HANDS = 0.62
# A white piece on which so much of the tile's print is seen is none.
_SEEN_THROUGH = 0.7
# Where a piece stood so much of its outline is bare once it has left, and less than this share of it is seen.
_LEFT_BARE, _A_TRACE = 0.6, 0.25
# One tile's light differs in colour from that of all tiles by less than this.
_TINTED = 2.4
# So many tiles tell the camera's tone curve well.
_TONE_TILES = 10

# A face examined, where its boxes are, and what they look like.
_Closer: TypeAlias = tuple[Residual, list[BoxPlace], list[BoxFeatures]]


class _Kept:
    """All that is kept from frame to frame as long as the camera stays where it is."""

    def __init__(self, library: FaceLibrary, camera: CameraPose) -> None:
        layout = library.layout
        self.surveyor = Surveyor(layout, camera)
        self.mapper = CityMapper(layout, self.surveyor.flat, library.paints)
        self.finder = Finder(self.surveyor.bodies)
        self.pile = None if library.pile is None else Window(camera, library.pile.flat)
        self.beside = neighbours(layout)
        self.before: Findings | None = None
        self.tone = 1.0


class Reader:
    """Reads frames of one table with one profile. Not for use by two threads at once.

    Attributes:
        library: what the profile tells.
        findings: all that was found in the frame read last.
        left_open: the boxes, of tiles and of the board, that could not be told there.
    """

    def __init__(self, profile: Profile) -> None:
        self.library = FaceLibrary(profile)
        self._locator = Locator(profile, self._tile_locator)
        self._kept: _Kept | None = None
        self._names = [face.name for face in self.library.tiles.faces]
        self._sides: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            self._sides.setdefault(name.partition("/")[0], []).append(number)
        self._figures = {one.name for one in profile.pieces if one.kind == "figure"}
        self._known: dict[str, str] = {}
        self._stood: dict[Place, Standing] = {}
        self.findings = Findings()
        self.left_open: frozenset[Place] = frozenset()

    def forget(self) -> None:
        """Forget what earlier frames told; the next frame is read by itself."""
        self._locator.forget()
        self._kept = None
        self._known = {}
        self._stood = {}

    def read(
        self,
        frame: Picture8 | ImagePyramid,
        *,
        seq: int,
        seen_at_s: float,
        source: str,
        expected: Picture | None = None,
        again: bool = False,
    ) -> Observation:
        """Return what a frame (height, width, 3) uint8 BGR shows; it may have been halved before.

        `expected` is the picture that the game predicts: those faces are tried first. It decides nothing.
        What has not changed since the frame before is not read again; with `again` that is done where boxes
        were left open, for what the noise of one frame hides another may show.
        """
        pyramid = frame if isinstance(frame, ImagePyramid) else ImagePyramid(frame)
        frame = pyramid.times(0)
        claims: Claims = {}
        findings = self.findings = Findings(expected=expected or {})
        findings.camera = self._locator.locate(frame, findings.expected)
        if findings.camera is None:
            self.left_open = frozenset()
            return Observation(source=source, seq=seq, seen_at_s=seen_at_s, busy=False)
        if self._kept is None or self._kept.surveyor.camera is not findings.camera:
            self._kept = _Kept(self.library, findings.camera)
        kept = self._kept
        anew = self.left_open if again else frozenset()
        findings.changed = kept.surveyor.changed(pyramid)
        findings.changed |= {parts_of(where)[0] for where in anew if kind_of(where) == "box"}
        findings.keep(kept.before)
        findings.plane = kept.surveyor.city(
            frame, self.library.layout.cells.keys() - findings.residuals.keys()
        )
        is_anew = any(kind_of(where) == "obelisk" for where in anew)
        if kept.surveyor.is_board_changed(pyramid) or is_anew:
            findings.board_plane = kept.surveyor.board(frame)
        self._read_cells(findings)
        self._find_figures(findings)
        self._claim_cells(findings, claims)
        self._claim_figures(findings, claims)
        self._find_figures_among_markers(findings, claims)
        boxes = BoxReader(self.library, kept.surveyor.bodies, findings, claims)
        boxes.read()
        self._read_pile(frame, pyramid, findings, claims)
        kept.before = findings
        if findings.board is not None:
            claims.update({one.place: one for one in findings.board.sightings})
        self.left_open = self._left_open(findings, claims)
        if is_colourless(frame):
            # Without colours nobody knows whose pieces they are.
            claims = {at: one for at, one in claims.items() if kind_of(at) == "cell"}
        busy = (findings.cover is not None and findings.cover.hand) or (
            findings.board is not None and findings.board.covered
        )
        return Observation(
            source=source,
            seq=seq,
            seen_at_s=seen_at_s,
            sightings=claims,
            busy=busy,
            hidden=self._hidden(findings, claims),
            denied=self._denied(findings, claims, boxes),
        )

    def _read_pile(self, frame: Picture8, pyramid: ImagePyramid, findings: Findings, claims: Claims) -> None:
        """Read the top of the discard pile where its cards were learnt."""
        kept, pile = self._kept, self.library.pile
        assert kept is not None
        assert findings.camera is not None
        if pile is None or kept.pile is None:
            return
        if kept.pile.changed(pyramid) or findings.pile is None:
            layout = self._locator.layout
            findings.pile = pile.read(kept.pile.plane(frame), frame, findings.camera, layout)
        if findings.pile.top is not None:
            claim(claims, Place(PILE), findings.pile.top.face, findings.pile.top.confidence)

    def _tile_locator(self) -> TileLocator:
        library = self.library
        return TileLocator(
            library.layout, library.tiles.faces, None if library.board is None else library.board[1].face
        )

    def _read_cells(self, findings: Findings) -> None:
        """Recognise the tiles; where figures stand in the way, once more without what they cover."""
        plane, library = findings.plane, self.library
        assert plane is not None
        fields = plane.fields()
        self._recognise(plane, fields, findings)
        self._even_tone(findings)
        self._measure_residuals(findings)
        self._take_back(findings)
        missing = [cell for cell in self._near_changes(findings) if cell not in findings.residuals]
        if not missing:
            return
        self._find_figures(findings)
        free = self._free_of_figures(findings, plane)
        again = [cell for cell in missing if _is_partly(free, plane, library.layout, cell)]
        places = [Sought(middle=_middle(plane, library.layout.cells[cell])) for cell in again]
        for cell, found in zip(again, library.tiles.recognise_all(fields, places, free), strict=True):
            if found and found[0].score > findings.matches[cell][0].score:
                findings.matches[cell] = found
        if again:
            self._measure_residuals(findings)
        self._read_by_elimination(findings, fields, again, free)

    def _near_changes(self, findings: Findings) -> list[str]:
        """Return the cells that have changed, those beside them, and where the expectation has changed."""
        assert self._kept is not None
        before = self._kept.before
        near = {beside for cell in findings.changed for beside in self._kept.beside[cell]}
        if before is not None:
            cells = (place("cell", cell) for cell in self.library.layout.cells)
            near |= {parts_of(at)[0] for at in cells if before.expected.get(at) != findings.expected.get(at)}
        return [cell for cell in self.library.layout.cells if cell in near]

    def _take_back(self, findings: Findings) -> None:
        """Forget tiles told by elimination that are seen elsewhere now, or are no longer expected."""
        seen = Counter(self._names[face].partition("/")[0] for face, _ in findings.residuals.values())
        for cell, proof in list(findings.eliminated.items()):
            name = self._names[findings.residuals[cell][0]]
            is_doubted = proof is Proof.EXPECTED and name != findings.expected.get(place("cell", cell))
            if seen[name.partition("/")[0]] > 1 or is_doubted:
                findings.drop(cell)

    def _read_by_elimination(
        self,
        findings: Findings,
        fields: Fields,
        cells: list[str],
        free: NDArray[np.float32],
    ) -> None:
        """Try the tiles that lie nowhere else on cells that figures mostly cover: each tile exists once.

        What is found so is good enough to find the figures on it, but is not claimed, unless it is plain to
        see, just what the game expects there, or markers lie on its boxes.
        """
        plane, tiles = findings.plane, self.library.tiles
        assert plane is not None
        held = {self._names[face].partition("/")[0] for face, _ in findings.residuals.values()}
        rest = frozenset(n for tile, sides in self._sides.items() if tile not in held for n in sides)
        for cell in cells:
            if cell in findings.residuals:
                continue
            middle = _middle(plane, self.library.layout.cells[cell])
            found = tiles.recognise(fields, middle, only=rest, free=free)
            sure = classify_cell(found, self._names) if found else 0.0
            name = self._names[found[0].face] if found else None
            if marked := self._with_markers(findings, cell, found):
                found, proof = marked, Proof.MARKERS
            elif sure > 0 and name == findings.expected.get(place("cell", cell)):
                proof = Proof.EXPECTED
            elif sure >= _CERTAIN:
                proof = Proof.ELIMINATION
            else:
                continue
            findings.matches[cell], findings.eliminated[cell] = found, proof
        if findings.eliminated:
            self._measure_residuals(findings)

    def _with_markers(self, findings: Findings, cell: str, found: Sequence[Match]) -> list[Match]:
        """Return the match of a face on whose boxes markers lie on a cell; none if they tell no tile.

        Nothing else lies just so: that side of a tile is up, however little of its print is seen.
        """
        best: dict[int, Match] = {}
        for match in found:
            best.setdefault(match.face, match)
        marked: list[tuple[Match, list[int]]] = []
        light = self._light_beside(findings, cell)
        for match in best.values():
            if not self.library.boxes[match.face].size:
                continue
            rival = max((one.score for one in best.values() if one is not match), default=-1.0)
            if boxes := markers_in_place(match, self._box_features(findings, match, light)[2], rival):
                marked.append((match, boxes))
        if len(marked) != 1:
            return []
        match, boxes = marked[0]
        findings.proving |= {place("box", cell, number) for number in boxes}
        return [match]

    def _recognise(self, plane: Plane, fields: Fields, findings: Findings) -> None:
        """Match every changed cell: both sides of the likely tile if one convinces, else all faces.

        Likely is the tile that the game expects, and the one that was recognised here last.
        """
        matches = self._still_there(fields, findings)
        places = {
            cell: Sought(middle=_middle(plane, at), only=self._likely(cell, findings.expected))
            for cell, at in self.library.layout.cells.items()
            if cell in findings.changed and cell not in matches
        }
        hinted = [cell for cell, one in places.items() if one.only]
        tiles = self.library.tiles
        found = tiles.recognise_all(fields, [places[cell] for cell in hinted])
        for cell, matched in zip(hinted, found, strict=True):
            if matched and matched[0].score >= _CONVINCING and self._is_certain(matched):
                matches[cell] = matched
        open_ = [cell for cell in places if cell not in matches]
        found = tiles.recognise_all(fields, [replace(places[cell], only=None) for cell in open_])
        matches |= dict(zip(open_, found, strict=True))
        for cell, matched in matches.items():
            if matched and self._is_certain(matched):
                self._known[cell] = self._names[matched[0].face]
        findings.matches |= matches

    def _still_there(self, fields: Fields, findings: Findings) -> dict[str, list[Match]]:
        """Return the matches of changed cells on which the face is plainly seen that lay there before.

        Another face, or the other side, agrees far less: then all are compared anew.
        """
        assert self._kept is not None
        before = self._kept.before
        if before is None:
            return {}
        known = {
            cell: before.matches[cell]
            for cell in self.library.layout.cells
            if cell in findings.changed
            and cell in before.residuals
            and self._is_certain(before.matches[cell])
        }
        again = self.library.tiles.register_near(fields, [found[0] for found in known.values()])
        return {
            cell: [one, *found[1:]]
            for (cell, found), one in zip(known.items(), again, strict=True)
            if one.score > max(_STILL_THERE, found[0].score - _FADED) and self._is_certain([one, *found[1:]])
        }

    def _is_certain(self, found: list[Match]) -> bool:
        return classify_cell(found, self._names) >= _CERTAIN

    def _likely(self, cell: str, expected: Picture) -> frozenset[int]:
        """Return the faces of the tiles that are likely to lie on a cell."""
        return frozenset(
            number
            for name in (expected.get(place("cell", cell)), self._known.get(cell))
            if name is not None
            for number in self._sides.get(name.partition("/")[0], ())
        )

    def _even_tone(self, findings: Findings) -> None:
        """Take the camera's own tone curve out of the picture, as far as the tiles tell it."""
        plane, kept = findings.plane, self._kept
        assert plane is not None
        assert kept is not None
        if len(findings.changed) == len(self.library.layout.cells):
            soft = cv2.blur(gray_of(plane.picture), (COARSE_PX + 1, COARSE_PX + 1)).astype(np.uint8)
            sure = [
                one[0] for one in findings.matches.values() if one and classify_cell(one, self._names) > 0
            ]
            sure.sort(key=lambda match: -match.score)
            kept.tone = tone_of(self._tones(soft, match) for match in sure[:_TONE_TILES])
        findings.tone = kept.tone
        findings.plane = replace(plane, picture=without_tone(plane.picture, findings.tone))

    def _tones(self, soft: Picture8, match: Match) -> tuple[Singles, Picture8, Singles]:
        """Return a face's brightness as learnt and as seen, coarse, and how much to trust each pixel."""
        known = self.library.patterns[match.face].coarse
        size = (known.shape[1], known.shape[0])
        middle = (COARSE_PX - 1) / 2
        coarse = np.array([[COARSE_PX, 0, middle], [0, COARSE_PX, middle], [0, 0, 1]])
        matrix = match.pose.matrix(self.library.patterns[match.face].known.shape) @ coarse
        seen = cv2.warpAffine(soft, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        trust = cv2.resize(match.blocks, size, interpolation=cv2.INTER_NEAREST)
        return known, np.asarray(seen, np.uint8), np.asarray(trust, np.float32)

    def _measure_residuals(self, findings: Findings) -> None:
        """Take the sure matches and look closer at them."""
        library, plane = self.library, findings.plane
        assert plane is not None
        names = [face.name for face in library.tiles.faces]
        holders = _best_holders(findings.matches, library)
        sure = [
            cell
            for cell, found in findings.matches.items()
            if cell not in findings.residuals
            and found
            and (classify_cell(found, names) > 0 or findings.eliminated.get(cell) is Proof.MARKERS)
            and holders[names[found[0].face].partition("/")[0]] == cell
        ]
        board, findings.board_plane = findings.board_plane, None
        if board is not None and findings.camera is not None:
            findings.board = read_board(library, board, findings.camera, findings.tone)
        for cell in sure:
            is_marked = findings.eliminated.get(cell) is Proof.MARKERS
            self._keep_closer(findings, cell, self._light_beside(findings, cell) if is_marked else None)
        for cell in sure:
            is_certain = self._is_certain(findings.matches[cell]) and cell not in findings.eliminated
            is_marked = findings.eliminated.get(cell) is Proof.MARKERS
            if not (is_certain or is_marked) and _is_oddly_lit(cell, findings):
                # So little of it is seen that its light cannot be told, and no colour on it either.
                findings.drop(cell)

    def _keep_closer(self, findings: Findings, cell: str, light: LightFit | None = None) -> None:
        """Look closer at a cell's best match, in a light that is known or its own, and keep what is found."""
        match = findings.matches[cell][0]
        residuals, spots, features = self._box_features(findings, match, light)
        findings.residuals[cell] = match.face, residuals
        for number, (spot, box) in enumerate(zip(spots, features, strict=True)):
            where = place("box", cell, number)
            findings.boxes[where], findings.spots[where] = box, spot

    def _light_beside(self, findings: Findings, cell: str) -> LightFit | None:
        """Return the light on the tiles beside a cell, None where none are told."""
        assert self._kept is not None
        near = self._kept.beside[cell] - {cell}
        beside = {one: found for one, (_, found) in findings.residuals.items() if one in near}
        return common_light(beside) if beside else None

    def _claim_cells(self, findings: Findings, claims: Claims) -> None:
        assert findings.city is not None
        assert findings.cover is not None
        names = [face.name for face in self.library.tiles.faces]
        for cell, (face, _) in findings.residuals.items():
            # Which tile it is follows from the others; which side is up must be plain to see.
            proof = findings.eliminated.get(cell)
            if proof is Proof.ELIMINATION and not is_far_ahead(findings.matches[cell], names):
                continue
            if findings.cover.hand and not self._is_clear_of_hands(cell, findings):
                continue
            sure = classify_cell(findings.matches[cell], names) if proof is None else _FORESEEN
            claim(claims, place("cell", cell), names[face], sure)

    def _is_clear_of_hands(self, cell: str, findings: Findings) -> bool:
        """Whether enough of a tile is seen: half of one may still be told, but change under a hand."""
        assert findings.city is not None
        assert findings.cover is not None
        if is_half_lost(findings.matches[cell][0]):
            # Skin may be much of the tile's own colour: there nothing seems to cover it.
            return False
        is_plain_to_see = findings.matches[cell][0].score > _PLAIN_BESIDE_HANDS
        window = cell_window(findings.city.flat, self.library.layout, cell)
        return findings.cover.share_of(window) <= (0.3 if is_plain_to_see else 0.1)

    def _find_figures(self, findings: Findings) -> None:
        """Look for figures and dragons, then for what else covers the city."""
        plane, library = findings.plane, self.library
        assert plane is not None
        assert self._kept is not None
        residuals = {cell: one for cell, (_, one) in findings.residuals.items()}
        findings.city = self._kept.mapper.draw(
            plane, residuals, findings.undrawn, self._plain_markers(findings)
        )
        findings.undrawn, findings.patches = frozenset(), None
        findings.standing, findings.through, findings.mimicked = {}, {}, set()
        outlines: list[NDArray[np.bool_]] = []
        # Dragons first: they are large and plain, and their lit edges can look like a player's figure.
        for kind in ("dragon", "figure"):
            pieces = [one for one in library.profile.pieces if one.kind == kind]
            taken = findings.city.taken.copy()
            for outline in outlines:
                taken |= outline
            if kind == "figure":
                taken |= self._rows_of_markers(findings)
            city = replace(findings.city, taken=taken)
            paints = {place(one.kind, one.name): library.paint_of(one) for one in pieces}
            found = self._kept.finder.find(kind, paints, city)
            for one in pieces:
                standing = found[place(one.kind, one.name)]
                if standing is not None and kind == "figure":
                    standing = self._find_beside_markers(
                        findings, standing, one.name, library.paint_of(one), city
                    )
                if standing is None:
                    continue
                findings.standing[place(one.kind, one.name)] = standing
                if self._is_made_out(findings, one):
                    outlines.append(standing.outline)
        findings.cover = self._covering(findings, outlines)
        if not findings.cover.hand and (more := self._find_by_borders(findings)):
            findings.cover = self._covering(findings, [*outlines, *more])

    def _covering(self, findings: Findings, outlines: Sequence[NDArray[np.bool_]]) -> Cover:
        """Return what covers the city, pieces with these outlines among it."""
        assert findings.city is not None
        library = self.library
        dragons = [library.paint_of(one).label for one in library.profile.pieces if one.kind == "dragon"]
        residuals = {cell: one for cell, (_, one) in findings.residuals.items()}
        figures = [one for one in library.profile.pieces if one.kind == "figure"]
        return find_cover(
            findings.city,
            library.layout,
            outlines,
            residuals,
            dragons,
            lambda: not all(self._is_made_out(findings, one) for one in figures),
        )

    def _find_by_borders(self, findings: Findings) -> list[NDArray[np.bool_]]:
        """Look for the white figures not made out by what is seen of their borders; return their outlines."""
        city, cover, kept = findings.city, findings.cover, self._kept
        assert city is not None
        assert cover is not None
        assert kept is not None
        lost = [
            one
            for one in self.library.profile.pieces
            if one.kind == "figure"
            and self.library.paint_of(one).is_light
            and not self._is_made_out(findings, one)
        ]
        if not lost:
            return []
        # What is only like a marker is none the less no border of a figure.
        markers = self._markers(findings)
        there = replace(city, taken=city.taken | cover.pieces | markers)
        edges = cache(lambda: residual_edges(there, (found for _, found in findings.residuals.values())))
        outlines: list[NDArray[np.bool_]] = []
        for one in lost:
            paint = self.library.paint_of(one)
            standing = find_by_border(there, edges, kept.surveyor.bodies, paint, one.kind)
            if standing is None or self._classify_standing(findings, one, standing) == 0:
                continue
            assert standing.border is not None
            if is_plainly_bordered(standing.border) or not findings.is_on_markers(paint, standing):
                findings.standing[place(one.kind, one.name)] = standing
                outlines.append(standing.outline)
        return outlines

    def _is_made_out(self, findings: Findings, piece: PieceRecord) -> bool:
        """Whether a piece was found where it surely stands."""
        standing = findings.standing.get(place(piece.kind, piece.name))
        return standing is not None and self._classify_standing(findings, piece, standing) > 0

    def _classify_standing(
        self, findings: Findings, piece: PieceRecord, standing: Standing, *, hand: bool = False
    ) -> float:
        """Return how surely a piece stands where it was found, 0 when that is not to be claimed."""
        sure = classify_standing(standing, piece.seen, piece.kind, hand=hand)
        paint = self.library.paint_of(piece)
        if paint.is_light:
            # White may be anything pale, and light that the tile mirrors is seen through.
            return sure if sure > 0 and findings.print_visibility(standing) < _SEEN_THROUGH else 0.0
        if sure > 0 or findings.is_on_markers(paint, standing):
            return sure
        return classify_standing(standing, piece.seen, piece.kind, hand=hand, alone=True)

    def _rows_of_markers(self, findings: Findings) -> NDArray[np.bool_]:
        """Return what markers cover that are not plain to see one by one, but explain all of their patch."""
        assert findings.city is not None
        owners = self.library.owners()
        found = np.zeros(findings.city.labels.shape, np.bool_)
        doubtful = [
            where
            for where, box in findings.boxes.items()
            if box.marker is not None and box.bare < BARE_ENOUGH and not is_plain(box, owners)
        ]
        for where in doubtful:
            one = findings.patches_of(len(owners)).at(where)
            if one is not None and one.is_markers:
                found |= one.patch
                findings.mimicked.add(owners[one.label])
        return found

    def _find_beside_markers(
        self, findings: Findings, standing: Standing, name: str, paint: Paint, city: CityMap
    ) -> Standing | None:
        """Return where a figure stands, and not a row of markers that looks like it."""
        assert self._kept is not None
        markers = [(*findings.spot(where), one) for where, one in findings.markers_of(paint.label)]
        found: Standing | None = standing
        while found is not None:
            is_pair = findings.is_pair_of_markers(paint, found)
            row = markers_in_place_of(found, paint.label, city, markers, is_pair=is_pair)
            if row is None:
                break
            findings.mimicked.add(name)
            city = replace(city, taken=city.taken | row)
            found = find_standing(city, self._kept.surveyor.bodies, paint, "figure")
        return found

    def _free_of_figures(self, findings: Findings, plane: Plane) -> NDArray[np.float32]:
        """Return 1 where no figure covers the city, at the city's scale."""
        assert findings.cover is not None
        covered = cv2.dilate(findings.cover.pieces.astype(np.uint8), np.ones((5, 5), np.uint8))
        size = (plane.soft.shape[1], plane.soft.shape[0])
        return np.asarray(1 - cv2.resize(covered, size, interpolation=cv2.INTER_NEAREST), np.float32)

    def _claim_figures(self, findings: Findings, claims: Claims) -> None:
        assert findings.city is not None
        assert findings.cover is not None
        assert self._kept is not None
        if _is_too_soft(findings):
            return
        bodies, hand = self._kept.surveyor.bodies, findings.cover.hand
        # Of a dragon behind others a wing is seen; of a figure behind one there may be nothing to see.
        trace = {"dragon": 0.22, "figure": 0.2}
        absent: list[PieceRecord] = []
        dragons: list[Standing] = []
        for one in sorted(self.library.profile.pieces, key=lambda piece: piece.kind != "dragon"):
            if one.kind == "marker":
                continue
            where = place(one.kind, one.name)
            standing = findings.standing.get(where)
            sure = 0.0 if standing is None else self._classify_standing(findings, one, standing, hand=hand)
            if standing is not None and sure > 0:
                if one.kind == "figure" and findings.is_on_markers(self.library.paint_of(one), standing):
                    sure = min(sure, _AMONG_MARKERS)
                claim(claims, where, standing.cell, sure)
                dragons += [standing] if one.kind == "dragon" else []
                continue
            if one.kind == "figure" and one.name in findings.mimicked:
                continue
            is_nowhere = standing is None or standing.share < trace[one.kind] * one.seen
            base_mm, height_mm = self.library.layout.pieces.size_of(one.kind)
            if not is_nowhere or findings.cover.may_hold(base_mm * height_mm):
                continue
            absent.append(one)
        unseen = Occlusion(findings.city, bodies, dragons)
        for one in absent:
            if not unseen.may_hold(one):
                claim(claims, place(one.kind, one.name), None, 0.98)

    def _find_figures_among_markers(self, findings: Findings, claims: Claims) -> None:
        """Look for the figures not yet found where markers of their colour are: one may be taken for two."""
        city, cover, kept, library = findings.city, findings.cover, self._kept, self.library
        assert city is not None
        assert cover is not None
        assert kept is not None
        for piece in library.profile.pieces:
            if piece.kind != "figure" or place("figure", piece.name) in claims:
                continue
            paint = library.paint_of(piece)
            near = {parts_of(where)[0] for where, _ in findings.markers_of(paint.label)}
            cells = [cell for cell in library.layout.cells if not near.isdisjoint(kept.beside[cell])]
            if not cells:
                continue
            bare = replace(city, taken=cover.pieces | self._plain_markers(findings, but=paint.label))
            found = find_standing(bare, kept.surveyor.bodies, paint, "figure", cells)
            if found is not None and may_be_figure(found, piece.seen):
                findings.doubted[piece.name] = found

    def _box_features(self, findings: Findings, match: Match, light: LightFit | None = None) -> _Closer:
        """Return a face examined where it lies, where its boxes are and what they look like.

        `light` is that on the face where the face itself does not tell it.
        """
        plane, camera, library = findings.plane, findings.camera, self.library
        assert plane is not None
        assert camera is not None
        face = match.face
        found = library.patterns[face].residual(plane.picture, plane.blind, match, light)
        edge_mm, marker_mm = library.records[face].box_edge_mm, library.layout.pieces.marker_edge_mm
        spots = [
            place_of_box(found, plane.flat, camera, (float(x), float(y)), edge_mm, marker_mm)
            for x, y in library.boxes[face]
        ]
        return found, spots, box_features(found, spots, library.paints, len(library.owners()))

    def _plain_markers(self, findings: Findings, but: int | None = None) -> NDArray[np.bool_]:
        """Return what markers cover that are plain to see, but for those of one label."""
        owners = self.library.owners()
        return self._markers(
            findings,
            lambda where, marker: (
                marker.label != but and (where in findings.proving or is_plain(findings.boxes[where], owners))
            ),
        )

    def _markers(
        self, findings: Findings, counts: Callable[[Place, Marker], bool] = lambda *_: True
    ) -> NDArray[np.bool_]:
        """Return what those markers cover that count, on the city at half scale."""
        assert findings.plane is not None
        flat = findings.plane.flat.halved()
        mask = np.zeros((flat.height_px, flat.width_px), np.uint8)
        for where, box in findings.boxes.items():
            if box.marker is None or not counts(where, box.marker):
                continue
            found, spot = findings.spot(where)
            matrix = found.pose.matrix(found.known.shape)
            ends = [np.array(box.marker.middle) + np.array(spot.lean) * share for share in (-0.5, 0.0, 0.5)]
            radius = round(0.68 * spot.marker_mm * flat.px_per_mm)
            for end in ends:
                x, y = (matrix @ np.array([*end, 1.0]) / 2 - 0.25).tolist()
                cv2.circle(mask, (round(x), round(y)), radius, 1, -1)
        return np.asarray(mask > 0, np.bool_)

    def _left_open(self, findings: Findings, claims: Mapping[Place, Sighting]) -> frozenset[Place]:
        """Return the boxes of recognised tiles, and of the board, that are not claimed."""
        features = () if findings.board is None else findings.board.features
        board = (place("obelisk", number) for number in range(len(features)))
        return frozenset(where for where in (*findings.boxes, *board) if where not in claims)

    def _hidden(self, findings: Findings, claims: Mapping[Place, Sighting]) -> frozenset[Place]:
        """Return the places known to be covered: boxes and cells on which something else is seen."""
        hidden = {where for where in findings.boxes if where not in claims}
        hidden |= {
            place("cell", cell) for cell in self.library.layout.cells if place("cell", cell) not in claims
        }
        if self.library.pile is not None and Place(PILE) not in claims:
            hidden.add(Place(PILE))
        return frozenset(hidden)

    def _denied(
        self, findings: Findings, claims: Mapping[Place, Sighting], boxes: BoxReader
    ) -> dict[Place, frozenset[Value]]:
        """Return what places surely do not show though nobody can say what they show.

        Where pieces stood that are not made out now there may be bare ground; and on a box may lie something.
        """
        open_ = [where for where in findings.boxes if where not in claims]
        denied = {where: frozenset[Value]({None}) for where in open_ if boxes.is_taken(where)}
        for piece in self.library.profile.pieces:
            where = place(piece.kind, piece.name)
            if where in claims:
                if where in findings.standing:
                    self._stood[where] = findings.standing[where]
            elif where in self._stood and self._has_left(findings, piece.kind, where):
                denied[where] = frozenset({self._stood[where].cell})
        return denied

    def _has_left(self, findings: Findings, kind: str, where: Place) -> bool:
        """Whether a piece is no longer where it stood: the ground is seen there, and hardly a trace of it."""
        before, now, city = self._stood[where], findings.standing.get(where), findings.city
        assert city is not None
        assert self._kept is not None
        if now is not None and now.cell == before.cell and now.share > _A_TRACE:
            return False
        region, body = self._kept.surveyor.bodies.outline(kind, before.base_mm)
        bare = city.tile[region] & ~(city.strange | city.blind | city.taken)[region]
        return bool(np.count_nonzero(bare & body) > _LEFT_BARE * np.count_nonzero(body))


def _is_too_soft(findings: Findings) -> bool:
    """Whether the picture is so much out of focus that a figure's outline says nothing."""
    assert findings.plane is not None
    blurs = [found.blur for _, found in findings.residuals.values()]
    return bool(blurs) and float(np.median(blurs)) > TOO_SOFT_MM * findings.plane.flat.px_per_mm


def _is_oddly_lit(cell: str, findings: Findings) -> bool:
    """Whether a cell's light has quite another colour than that of all cells."""
    common = common_light({name: one for name, (_, one) in findings.residuals.items()})
    tint = findings.residuals[cell][1].light.factors[0] / np.maximum(common.factors[0], 1e-3)
    return bool(tint.max() > _TINTED * max(float(tint.min()), 1e-3))


def _middle(plane: Plane, at: tuple[float, float]) -> tuple[float, float]:
    x, y = plane.flat.to_px(np.array([at]))[0]
    return float(x), float(y)


def _is_partly(free: NDArray[np.float32], plane: Plane, layout: TableLayout, cell: str) -> bool:
    """Whether a part of the cell, but not all of it, is under figures."""
    share = float(free[cell_window(plane.flat, layout, cell)].mean())
    return 0.2 < share < 0.95


def _best_holders(matches: Mapping[str, list[Match]], library: FaceLibrary) -> dict[str, str]:
    """Return for every tile the cell that shows it best: there is one of each."""
    best: dict[str, tuple[float, str]] = {}
    for cell, found in matches.items():
        if found:
            tile = library.tiles.faces[found[0].face].name.partition("/")[0]
            best[tile] = max(best.get(tile, (-2.0, "")), (found[0].score, cell))
    return {tile: cell for tile, (_, cell) in best.items()}
