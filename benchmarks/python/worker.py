"""A bounded asyncio worker, for a side-by-side of retained memory with the Java one.

Written from the contracts alone: one event loop, one running job, waiting room of `capacity`.
Runs on CPython 3.11, so without asyncio.Queue.shutdown. Not thread-safe.
"""

import asyncio
from collections import deque
from dataclasses import dataclass


class Refused(Exception):
    """The job was not accepted; `reason` says why."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class JobError:
    error_type: str
    message: str
    message_truncated: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    job_id: str
    kind: str  # completed, failed, interrupted or unstarted
    error: JobError | None = None


@dataclass(frozen=True, slots=True)
class Report:
    accepted: int
    completed: int
    failed: int
    interrupted: int
    unstarted: int
    outcomes: tuple[Outcome, ...]
    omitted_outcomes: int


class Worker:
    """Accepts iff fewer than 1 + capacity jobs are unfinished; one outcome for each accepted job."""

    def __init__(
        self, handler, *, capacity, history=100, max_error_message_chars=256, max_job_id_bytes=128
    ):
        self._handler = handler
        self._capacity = capacity
        self._history = history  # None keeps all
        self._max_chars = max_error_message_chars  # None keeps all
        self._max_id_bytes = max_job_id_bytes
        self._waiting = deque()
        self._running = None
        self._window = set()  # ids that wait, run or are remembered
        self._outcomes = deque()
        self._counts = dict.fromkeys(("completed", "failed", "interrupted", "unstarted"), 0)
        self._accepted = 0
        self._closed = False
        self._producers = deque()  # futures, woken in the order of arrival
        self._work = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run())

    # ---- admission ----

    def offer(self, job_id):
        """Accepts or raises Refused. There is no await between the checks and the enqueue."""
        if not job_id:
            raise Refused("INVALID_ID")
        if len(job_id.encode()) > self._max_id_bytes:
            raise Refused("ID_TOO_LONG")
        if self._closed:
            raise Refused("CLOSED")
        if job_id in self._window:
            raise Refused("DUPLICATE")
        if self._unfinished() >= 1 + self._capacity:
            raise Refused("FULL")
        self._window.add(job_id)
        self._waiting.append(job_id)
        self._accepted += 1
        self._work.set()

    async def submit(self, job_id):
        """Waits for room. A wake-up reserves nothing, so the woken checks everything again."""
        while True:
            try:
                return self.offer(job_id)
            except Refused as refused:
                if refused.reason != "FULL":
                    raise
            turn = asyncio.get_running_loop().create_future()
            self._producers.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                # A wake-up that this one swallowed belongs to the next.
                if turn.done() and not turn.cancelled():
                    self._wake_one()
                raise
            finally:
                if turn in self._producers:
                    self._producers.remove(turn)

    def _wake_one(self):
        while self._producers:
            turn = self._producers.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def _unfinished(self):
        return len(self._waiting) + (self._running is not None)

    # ---- running ----

    async def _run(self):
        while True:
            while self._waiting:
                self._running = self._waiting.popleft()
                await self._run_one(self._running)
            if self._closed:
                return
            self._work.clear()
            await self._work.wait()

    async def _run_one(self, job_id):
        try:
            await self._handler(job_id)
        except asyncio.CancelledError:
            self._settle(Outcome(job_id, "interrupted"))
            raise
        except Exception as failure:
            self._settle(Outcome(job_id, "failed", self._capture(failure)))
        else:
            self._settle(Outcome(job_id, "completed"))

    def _capture(self, failure):
        message = str(failure)
        kept = message if self._max_chars is None else message[: self._max_chars]
        return JobError(type(failure).__name__, kept, len(kept) < len(message))

    def _settle(self, outcome):
        """The outcome first, then the slot."""
        self._counts[outcome.kind] += 1
        self._outcomes.append(outcome)
        while self._history is not None and len(self._outcomes) > self._history:
            self._window.discard(self._outcomes.popleft().job_id)
        if self._running == outcome.job_id:
            self._running = None
        self._wake_one()

    # ---- stop ----

    def stop_admission(self):
        self._closed = True
        self._work.set()
        for turn in self._producers:
            if not turn.done():
                turn.set_result(None)

    async def drain(self, grace):
        """Lets accepted work run for `grace` seconds, then cancels, awaits, and reports."""
        self.stop_admission()
        await asyncio.wait([self._task], timeout=grace)
        if not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])
        while self._waiting:
            self._settle(Outcome(self._waiting.popleft(), "unstarted"))
        return self.report()

    def report(self):
        kept = tuple(self._outcomes)
        return Report(
            accepted=self._accepted,
            outcomes=kept,
            omitted_outcomes=sum(self._counts.values()) - len(kept),
            **self._counts,
        )
