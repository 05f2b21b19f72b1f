package io.tidemark.daemon.ipamd.introspection;

import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** The plans for the network cards of a node. */
public sealed interface CardPlans {
  /**
   * Nothing: no card ever gets more addresses, and none are given back.
   *
   * @param reason for people
   */
  record Never(String reason) implements CardPlans {
    public Never {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The plan of a planner.
   *
   * @param planner the present plan of a card, from any thread at any time; empty while there is
   *     none. Never blocks
   */
  record Planned(IntFunction<Optional<PoolPlan>> planner) implements CardPlans {
    public Planned {
      Objects.requireNonNull(planner, "planner");
    }

    private void measure(Metric metric, int card, ToIntFunction<PoolPlan> number, Meters meters) {
      meters.gauge(
          metric,
          () -> planner.apply(card).map(number::applyAsInt).orElse(0),
          Integer.toString(card));
    }
  }

  /** Shows the plans of these cards as metrics from now on. */
  default void measure(Collection<Integer> cards, Meters meters) {
    if (this instanceof Planned planned) {
      for (int card : cards) {
        planned.measure(Metric.STORE_PLAN_SHORT, card, PoolPlan::shortBy, meters);
        planned.measure(Metric.STORE_PLAN_OVER, card, PoolPlan::overBy, meters);
      }
    }
  }
}
