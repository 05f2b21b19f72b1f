package io.tidemark.daemon;

import io.tidemark.metrics.Meters;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The means of a running agent.
 *
 * @param scheduler its clock and timer
 * @param requests where requests to the backend run
 * @param lane runs one task at a time, in order
 */
record AgentRuntime(
    TaskScheduler scheduler,
    EffectRunner requests,
    Executor lane,
    RandomGenerator random,
    Meters metrics) {}
