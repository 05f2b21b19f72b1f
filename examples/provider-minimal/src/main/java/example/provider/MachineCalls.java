package example.provider;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.Map;

/** The requests of the API: what repeating one does, its limits, what its refusals mean. */
final class MachineCalls {
  static final CallKind LIST_MACHINES = new CallKind("ListMachines", CallKind.Effect.READ);
  static final CallKind LIST_NETWORKS = new CallKind("ListNetworks", CallKind.Effect.READ);
  static final CallKind ADD = new CallKind("AddAddresses", CallKind.Effect.ONCE);
  static final CallKind REMOVE = new CallKind("RemoveAddresses", CallKind.Effect.REPEATABLE);

  private static final CallLimits READS = new CallLimits(20, 100, Duration.ofSeconds(5), 4);
  private static final CallLimits CHANGES = new CallLimits(5, 50, Duration.ofSeconds(10), 4);

  static final CallPolicy POLICY =
      new CallPolicy(
          "minimal",
          Map.of(LIST_MACHINES, READS, LIST_NETWORKS, READS, ADD, CHANGES, REMOVE, CHANGES),
          MachineCalls::classify);

  private MachineCalls() {}

  private static Failure classify(CallKind kind, Throwable thrown) {
    if (thrown instanceof MachineApi.ApiException refused) {
      return Failure.of(
          refused.reason.kind, refused.reason.name(), kind + ": " + refused.getMessage());
    }
    boolean read = kind.effect() == CallKind.Effect.READ;
    return Failure.of(
        read ? Failure.Kind.TRANSIENT : Failure.Kind.LOST, "noAnswer", kind + ": " + thrown);
  }
}
