package io.tidemark.provider.aws.simulation;

import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Faults that only EC2 has: the region's quota of interfaces is used up for a while, a subnet has
 * no prefix or no address left, a device index is taken, an instance is full, or on its way to
 * another state. Drawn by the seed, each over long before the scenario ends.
 */
final class OwnFaults {
  private static final Duration QUIET_END = Duration.ofSeconds(250);

  private final TimeSource time;
  private final List<Window> windows = new ArrayList<>();

  /** Whose troubles come. */
  @FunctionalInterface
  interface Source {
    OwnFaults of(Scenario scenario, TimeSource time, long seed);
  }

  /** EC2's refusals. */
  enum Kind {
    QUOTA,
    NO_PREFIX,
    NO_ADDRESS,
    INDEX_TAKEN,
    FULL,
    NOT_RUNNING
  }

  private record Window(Kind kind, long fromNanos, long toNanos) {}

  /** None. */
  static OwnFaults none(TimeSource time) {
    return new OwnFaults(time);
  }

  private OwnFaults(TimeSource time) {
    this.time = time;
  }

  /** One kind between two instants. */
  static Source between(Kind kind, Duration from, Duration to) {
    return (scenario, time, seed) -> {
      OwnFaults faults = new OwnFaults(time);
      faults.windows.add(new Window(kind, from.toNanos(), to.toNanos()));
      return faults;
    };
  }

  /** Each kind once in three seeds. */
  static OwnFaults drawn(Scenario scenario, TimeSource time, long seed) {
    OwnFaults faults = new OwnFaults(time);
    SplittableRandom random = new SplittableRandom(seed ^ 0x0ec2L);
    long latest = scenario.duration().minus(QUIET_END).toNanos();
    for (Kind kind : Kind.values()) {
      if (latest > 0 && random.nextInt(3) == 0) {
        long from = time.nanos() + random.nextLong(latest);
        long lasting = Duration.ofSeconds(random.nextInt(10, 150)).toNanos();
        faults.windows.add(new Window(kind, from, from + lasting));
      }
    }
    return faults;
  }

  /** EC2's refusal in place of the action; empty when nothing is wrong. */
  Optional<Ec2Failure> next(Ec2Operation operation, Object[] arguments) {
    for (Window each : windows) {
      long now = time.nanos();
      if (now >= each.fromNanos() && now < each.toNanos()) {
        Optional<Ec2Failure> failure = failure(each.kind(), operation, arguments);
        if (failure.isPresent()) {
          return failure;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Ec2Failure> failure(
      Kind kind, Ec2Operation operation, Object[] arguments) {
    boolean creates = operation == Ec2Operation.CREATE_NETWORK_INTERFACE;
    return switch (kind) {
      case QUOTA ->
          creates
              ? refused(
                  "NetworkInterfaceLimitExceeded",
                  "The maximum number of network interfaces has been reached.")
              : Optional.empty();
      case NO_PREFIX ->
          creates && Tempered.creation(arguments).filter(OwnFaults::wantsPrefix).isPresent()
              ? refused(
                      "InsufficientCidrBlocks",
                      "The specified subnet does not have enough free cidr blocks to satisfy the"
                          + " request.")
                  .map(Ec2Failure::ofPrefixes)
              : Optional.empty();
      case NO_ADDRESS ->
          creates || operation == Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES
              ? refused(
                  "InsufficientFreeAddressesInSubnet",
                  "The specified subnet does not have enough free addresses to satisfy the"
                      + " request.")
              : Optional.empty();
      case INDEX_TAKEN ->
          operation == Ec2Operation.ATTACH_NETWORK_INTERFACE
              ? refused(
                  "InvalidParameterValue",
                  "Instance 'i-0' already has an interface attached at device index '1'.")
              : Optional.empty();
      case FULL ->
          operation == Ec2Operation.ATTACH_NETWORK_INTERFACE
              ? refused(
                  "AttachmentLimitExceeded", "Interface count 2 exceeds the limit for sim.small")
              : Optional.empty();
      case NOT_RUNNING ->
          operation == Ec2Operation.ATTACH_NETWORK_INTERFACE
              ? refused("IncorrectState", "Instance 'i-0' is not 'running' or 'stopped'.")
              : Optional.empty();
    };
  }

  private static boolean wantsPrefix(CreateInterfaceRequest request) {
    return request.prefixes() > 0;
  }

  private static Optional<Ec2Failure> refused(String code, String text) {
    return Optional.of(Ec2Failure.refused(code, text, 400, ""));
  }
}
