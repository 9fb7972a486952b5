"""One trial of the memory matrix: trial.py WIDTH CAP HISTORY, -1 for no limit.

Answers in lines @name=value. Tracing starts after imports and the creation of the event loop;
nothing is collected by force, and worker and report are alive when memory is read.
"""

import asyncio
import hashlib
import platform
import sys
import tracemalloc

from worker import Worker

JOBS = 1000
CAPACITY = 16
FILL = "the quick brown fox jumps over the lazy dog "


def message_of(job, width):
    text = f"{job:08d} "
    return (text + FILL * (width // len(FILL) + 1))[:width]


async def trial(width, cap, history):
    tracemalloc.start()
    digest = hashlib.sha256()
    processed = 0

    async def handler(job_id):
        nonlocal processed
        message = message_of(int(job_id[4:]) - 1000, width)
        digest.update(message.encode())
        processed += 1
        raise RuntimeError(message)

    worker = Worker(
        handler,
        capacity=CAPACITY,
        history=None if history < 0 else history,
        max_error_message_chars=None if cap < 0 else cap,
    )
    for job in range(JOBS):
        await worker.submit(f"job-{1000 + job}")
    report = await worker.drain(60)
    current, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    errors = [outcome.error for outcome in report.outcomes if outcome.kind == "failed"]
    answers = {
        "current": current,
        "peak": peak,
        "checksum": digest.hexdigest(),
        "processed": processed,
        "accepted": report.accepted,
        "failed": report.failed,
        "otherOutcomes": report.completed + report.interrupted + report.unstarted,
        "kept": len(report.outcomes),
        "omitted": report.omitted_outcomes,
        "keptChars": sum(len(error.message) for error in errors),
        "keptTruncated": sum(error.message_truncated for error in errors),
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    }
    for name, value in answers.items():
        print(f"@{name}={value}")


asyncio.run(trial(*map(int, sys.argv[1:4])))
