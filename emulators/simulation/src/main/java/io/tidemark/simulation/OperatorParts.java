package io.tidemark.simulation;

import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.AllocationImplementation;
import java.util.function.UnaryOperator;

/** Replaces ports of an operator, for tests that expect a faulty part to be found. */
public record OperatorParts(
    UnaryOperator<CloudCallsFactory> calls,
    UnaryOperator<AllocationImplementation> provider,
    UnaryOperator<NodeResourceStore> store) {
  /** The ports as they are. */
  public static final OperatorParts GENUINE =
      new OperatorParts(
          UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
}
