package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.provider.azure.simulation.ArmWorld.Form;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Faults that only Azure has: operations fail or are canceled at their end, machines are busy,
 * other clients write the same resources, a subnet is full, one machine is throttled, operations
 * cannot be asked for, rights or tokens are withdrawn for a while. Drawn by the seed, each over
 * long before the scenario ends.
 */
final class OwnTroubles {
  private static final Duration QUIET_END = Duration.ofSeconds(250);
  private static final Duration BEAT = Duration.ofSeconds(3);
  private static final List<String> WRITES =
      List.of("VirtualMachineScaleSetVMs.Update", "Interfaces.CreateOrUpdate");
  private static final List<String> OPERATIONS = List.of("Operations.Get", "OperationResults.Get");

  /** Azure's faults. */
  enum Kind {
    OPERATION_FAILS,
    OPERATION_CANCELED,
    BUSY,
    OTHER_WRITER,
    SUBNET_FULL,
    MACHINE_THROTTLED,
    OPERATION_UNKNOWN,
    OPERATION_FORBIDDEN,
    NOT_ALLOWED,
    TOKENS_REVOKED
  }

  private record Window(Kind kind, long fromNanos, long toNanos) {}

  private final ArmWorld world;
  private final Truth truth;
  private final VirtualTime time;
  private final SplittableRandom random;
  private final List<Window> windows = new ArrayList<>();
  private final List<Window> open = new ArrayList<>();
  private final List<ArmWorld.Launched> machines = new ArrayList<>();

  OwnTroubles(ArmWorld world, Truth truth, VirtualTime time, long seed) {
    this.world = world;
    this.truth = truth;
    this.time = time;
    this.random = new SplittableRandom(seed ^ 0xa2fa17L);
  }

  /** Draws each kind once in three seeds. */
  void draw(Scenario scenario) {
    long latest = scenario.duration().minus(QUIET_END).toNanos();
    for (Kind kind : Kind.values()) {
      if (latest > 0 && random.nextInt(3) == 0) {
        long from = time.nanos() + random.nextLong(latest);
        long lasting = Duration.ofSeconds(random.nextInt(10, 150)).toNanos();
        add(kind, from, from + lasting);
      }
    }
  }

  /** One kind between two instants. */
  void add(Kind kind, long fromNanos, long toNanos) {
    Window window = new Window(kind, fromNanos, toNanos);
    windows.add(window);
    time.at(fromNanos, () -> begin(window));
    time.at(toNanos, () -> end(window));
  }

  /** A machine that troubles may hit. */
  void launched(ArmWorld.Launched machine) {
    machines.add(machine);
  }

  private void begin(Window window) {
    open.add(window);
    setFaults();
    switch (window.kind()) {
      case BUSY, OTHER_WRITER, TOKENS_REVOKED -> beat(window);
      default -> {}
    }
  }

  private void end(Window window) {
    open.remove(window);
    setFaults();
  }

  private void setFaults() {
    List<ArmFault> faults = new ArrayList<>();
    open.forEach(each -> faults.addAll(faults(each.kind())));
    world.handler().change(model -> model.faults().set(faults));
  }

  private List<ArmFault> faults(Kind kind) {
    return switch (kind) {
      case OPERATION_FAILS ->
          all(WRITES, ArmFault.Kind.FAIL_OPERATION, internal(), random.nextDouble(0.2, 0.9));
      case OPERATION_CANCELED ->
          all(WRITES, ArmFault.Kind.CANCEL_OPERATION, internal(), random.nextDouble(0.2, 0.9));
      case SUBNET_FULL ->
          all(
              WRITES,
              ArmFault.Kind.FAIL,
              ArmError.of(400, "SubnetIsFull", "The subnet does not have enough addresses."),
              1);
      case MACHINE_THROTTLED -> throttled();
      case OPERATION_UNKNOWN ->
          all(
              OPERATIONS,
              ArmFault.Kind.FAIL,
              ArmError.of(404, "NotFound", "The operation was not found."),
              0.7);
      case OPERATION_FORBIDDEN ->
          all(OPERATIONS, ArmFault.Kind.FAIL, forbidden("locations/operations/read"), 1);
      case NOT_ALLOWED -> all(WRITES, ArmFault.Kind.FAIL, forbidden("write"), 1);
      case BUSY, OTHER_WRITER, TOKENS_REVOKED -> List.of();
    };
  }

  private List<ArmFault> throttled() {
    if (machines.isEmpty()) {
      return List.of();
    }
    String machine = machines.get(random.nextInt(machines.size())).id();
    return List.of(
        ArmFault.every("*", ArmFault.Kind.FAIL)
            .on(machine)
            .withError(
                ArmError.of(429, "TooManyRequests", "Too many requests.")
                    .after(Duration.ofSeconds(20))));
  }

  private static ArmError internal() {
    return ArmError.of(500, "InternalExecutionError", "An internal execution error occurred.");
  }

  private static ArmError forbidden(String action) {
    return ArmError.of(
        403,
        "AuthorizationFailed",
        "The client does not have authorization to perform action '" + action + "'.");
  }

  private static List<ArmFault> all(
      List<String> operations, ArmFault.Kind kind, ArmError error, double probability) {
    return operations.stream()
        .map(each -> ArmFault.every(each, kind).withError(error).withProbability(probability))
        .toList();
  }

  /** Something happens again and again while the window is open. */
  private void beat(Window window) {
    if (!open.contains(window)) {
      return;
    }
    if (window.kind() == Kind.TOKENS_REVOKED) {
      world.handler().change(model -> model.revokeTokens());
    }
    for (int i = 0; i < machines.size(); i += 4) {
      ArmWorld.Launched machine = machines.get(random.nextInt(machines.size()));
      if (truth.attachedTo(machine.key()).isEmpty()) {
        continue;
      }
      if (window.kind() == Kind.OTHER_WRITER) {
        otherWriter(machine);
      } else if (window.kind() == Kind.BUSY && machine.form() == Form.UNIFORM) {
        busy(machine);
      }
    }
    time.after(
        window.kind() == Kind.TOKENS_REVOKED ? BEAT.multipliedBy(10) : BEAT, () -> beat(window));
  }

  private void otherWriter(ArmWorld.Launched machine) {
    world.change(
        there -> {
          if (machine.form() == Form.UNIFORM) {
            there.touchMachine(machine.key());
          } else {
            truth.attachedTo(machine.key()).forEach(each -> there.touch(each.id()));
          }
        });
    truth.look(machine.key());
  }

  private void busy(ArmWorld.Launched machine) {
    Duration lasts = Duration.ofSeconds(random.nextInt(3, 30));
    boolean idle =
        world
            .inventory()
            .machine(machine.key())
            .filter(each -> each.provisioningState().equals("Succeeded"))
            .isPresent();
    if (idle) {
      world.change(there -> there.occupy(machine.key(), lasts));
    }
  }
}
