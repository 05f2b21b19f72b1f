package io.tidemark.daemon.ipamd.introspection;

import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.metrics.DatastoreMetrics;
import io.tidemark.metrics.DatastoreMetrics.PlanCounts;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

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
  }

  /** Shows the plans of these cards as metrics from now on. */
  default void measure(Collection<Integer> cards, DatastoreMetrics metrics) {
    if (this instanceof Planned planned) {
      for (int card : cards) {
        metrics.plan(card, () -> counts(planned.planner().apply(card)));
      }
    }
  }

  private static PlanCounts counts(Optional<PoolPlan> plan) {
    return plan.map(it -> new PlanCounts(it.shortBy(), it.overBy()))
        .orElseGet(() -> new PlanCounts(0, 0));
  }
}
