package io.tidemark.metrics;

import io.tidemark.time.TriggerObserver;

/**
 * Measurements of one kind of trigger (node-manager 3.1 NM-T1, NM-T5). Thread-safe, never blocks.
 */
public interface TriggerMetrics extends TriggerObserver {}
