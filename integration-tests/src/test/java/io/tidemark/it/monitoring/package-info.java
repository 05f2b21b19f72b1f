/**
 * Runs in: anywhere.
 *
 * <p>The alerts and the dashboard of {@code deploy/monitoring}: compared with docs/metrics.md and
 * docs/runbook.md, and asked of a real Prometheus that scrapes running programs.
 *
 * <p>Read {@link io.tidemark.it.monitoring.MonitoringTest} first.
 */
@NullMarked
package io.tidemark.it.monitoring;

import org.jspecify.annotations.NullMarked;
