package io.tidemark.provider.aws.doctor;

import io.tidemark.resilience.CallContext;

/**
 * The time of a checkup, shared out among its steps: what an earlier one leaves over is the later
 * ones'. The last part is for the report. Pure.
 */
final class Shares {
  private final long beganNanos;
  private final CallContext context;

  /** Steps that depend on each other, in their order; what does not depend runs beside them. */
  enum Step {
    /** The metadata of the instance, where nothing else names the region. */
    REGION(0.15),
    /** Who answers, and as whom we are known. Two attempts take a third of a minute. */
    ANSWERS(0.45),
    /** Which instances and interfaces there are. */
    TARGETS(0.65),
    READS(0.82),
    CHANGES(0.97);

    private final double part;

    Step(double part) {
      this.part = part;
    }
  }

  Shares(long beganNanos, CallContext context) {
    this.beganNanos = beganNanos;
    this.context = context;
  }

  /** The context of a step, which ends by the step's deadline. */
  CallContext of(Step step) {
    long all = Math.max(0, context.deadlineNanos() - beganNanos);
    return context.until(beganNanos + (long) (all * step.part));
  }
}
