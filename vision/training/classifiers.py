"""Fitting the classifiers: small dense networks that weigh what the networks say with what is measured.

A classifier must learn from tables that the networks did not learn from: on their own these are surer than
they are right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from vision.arrays import Floats, Singles
from vision.training.fit import to_onnx

_HIDDEN = 48
_BATCH, _RATE, _DECAY = 512, 2e-3, 1e-3
# Measured values are off by so much of their spread each time they are seen.
_NOISE = 0.05
# What hardly ever differs is not blown up.
_LEAST_SPREAD = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """A fitted classifier.

    Attributes:
        network: dense layers; values are taken as they were measured.
    """

    network: nn.Sequential

    @property
    def inputs(self) -> int:
        """How many values it takes."""
        first = self.network[0]
        assert isinstance(first, nn.Linear)
        return int(first.in_features)

    def scores(self, values: Singles) -> Singles:
        """Return the scores of rows of values (N, inputs), (N, classes)."""
        with torch.no_grad():
            return np.asarray(self.network(torch.from_numpy(values.astype(np.float32))).numpy(), np.float32)

    def onnx(self) -> bytes:
        """Return it as the bytes of an ONNX file."""
        last = self.network[-1]
        assert isinstance(last, nn.Linear)
        return to_onnx(self.network, (self.inputs,), last.out_features)


def fit_classifier(values: Singles, truth: Floats, classes: int, *, epochs: int, seed: int = 0) -> Classifier:
    """Return a classifier fitted to rows of values (N, inputs) and class numbers (N,)."""
    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    mean = values.mean(axis=0)
    spread = np.maximum(values.std(axis=0), _LEAST_SPREAD)
    rows = torch.from_numpy(((values - mean) / spread).astype(np.float32))
    wanted = torch.from_numpy(truth.astype(np.int64))
    network = nn.Sequential(
        nn.Linear(values.shape[1], _HIDDEN),
        nn.ReLU(),
        nn.Linear(_HIDDEN, _HIDDEN),
        nn.ReLU(),
        nn.Linear(_HIDDEN, classes),
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = max(1, epochs * -(-len(rows) // _BATCH))
    planned = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    loss_of = nn.CrossEntropyLoss()
    for _ in range(epochs):
        order = dice.permutation(len(rows))
        for start in range(0, len(order), _BATCH):
            picked = torch.from_numpy(order[start : start + _BATCH])
            seen = rows[picked]
            loss = loss_of(network(seen + _NOISE * torch.randn_like(seen)), wanted[picked])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            planned.step()
    return Classifier(network=_unscaled(network, mean, spread).eval())


def _unscaled(network: nn.Sequential, mean: Singles, spread: Singles) -> nn.Sequential:
    """Return a network for scaled values made into one for values as they are measured."""
    first = network[0]
    assert isinstance(first, nn.Linear)
    with torch.no_grad():
        weight = first.weight / torch.from_numpy(spread.astype(np.float32))
        first.bias.copy_(first.bias - weight @ torch.from_numpy(mean.astype(np.float32)))
        first.weight.copy_(weight)
    return network
