package io.tidemark.simulation;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.ForwardingNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Ports of an operator with a bug in them. */
enum FaultyPart {
  /** None: all ports as they are. */
  NONE(UnaryOperator.identity()),
  /** Writes carry the version that stands on the server, whatever they were made from. */
  BLIND_WRITES(BlindWrites::new),
  /** Status writes lose what no version of us knows. */
  FORGETFUL_WRITES(ForgetfulWrites::new),
  /** An operator begins on what its watch knows, however old. */
  NO_CATCH_UP(NoCatchUp::new);

  @SuppressWarnings("ImmutableEnumChecker") // constructors alone
  private final UnaryOperator<NodeResourceStore> store;

  FaultyPart(UnaryOperator<NodeResourceStore> store) {
    this.store = store;
  }

  OperatorParts parts() {
    return new OperatorParts(UnaryOperator.identity(), UnaryOperator.identity(), store);
  }

  private static final class NoCatchUp extends ForwardingNodeResourceStore {
    NoCatchUp(NodeResourceStore genuine) {
      super(genuine);
    }

    @Override
    public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
      return CompletableFuture.completedStage(new CatchUp.Done());
    }
  }

  private static final class BlindWrites extends ForwardingNodeResourceStore {
    BlindWrites(NodeResourceStore genuine) {
      super(genuine);
    }

    private NodeResource fresh(NodeResource original) {
      return get(original.name()) instanceof StoreResult.Stored stored
          ? stored.resource()
          : original;
    }

    @Override
    public StoreResult update(NodeResource original, NodeResource changed) {
      return super.update(fresh(original), changed);
    }

    @Override
    public StoreResult updateStatus(NodeResource original, NodeResource changed) {
      return super.updateStatus(fresh(original), changed);
    }
  }

  private static final class ForgetfulWrites extends ForwardingNodeResourceStore {
    ForgetfulWrites(NodeResourceStore genuine) {
      super(genuine);
    }

    @Override
    public StoreResult updateStatus(NodeResource original, NodeResource changed) {
      String known =
          NodeResourceJson.print(changed).replaceAll("\"x-status\":\\{[^}]*}", "\"x-status\":{}");
      return super.updateStatus(original, Samples.parsed(known));
    }
  }
}
