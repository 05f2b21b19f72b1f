package io.tidemark.daemon.ipamd.introspection;

import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * The plans for the network cards of a node.
 *
 * @param never why no card ever gets more addresses and none are given back, for people; empty when
 *     a planner decides
 * @param planner the present plan of a card, from any thread at any time; empty while there is
 *     none. Never blocks
 */
public record CardPlans(Optional<String> never, IntFunction<Optional<PoolPlan>> planner) {
  /** There are none, for a reason. */
  public static CardPlans never(String reason) {
    return new CardPlans(Optional.of(reason), card -> Optional.empty());
  }

  /** The plans of a planner. */
  public static CardPlans of(IntFunction<Optional<PoolPlan>> planner) {
    return new CardPlans(Optional.empty(), planner);
  }

  /** Shows the plan of a card as metrics from now on. */
  public void measure(int card, Meters meters) {
    if (never.isEmpty()) {
      measure(Metric.STORE_PLAN_SHORT, card, PoolPlan::shortBy, meters);
      measure(Metric.STORE_PLAN_OVER, card, PoolPlan::overBy, meters);
    }
  }

  private void measure(Metric metric, int card, ToIntFunction<PoolPlan> number, Meters meters) {
    meters.gauge(
        metric,
        () -> planner.apply(card).map(number::applyAsInt).orElse(0),
        Integer.toString(card));
  }
}
