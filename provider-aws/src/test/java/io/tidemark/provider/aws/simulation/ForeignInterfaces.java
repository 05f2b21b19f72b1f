package io.tidemark.provider.aws.simulation;

import io.tidemark.simulation.cloud.CloudInterface;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Somebody else puts interfaces on instances of ours, at their start or some time after: on every
 * third that has a place to spare. Drawn by the seed.
 */
final class ForeignInterfaces {
  private static final int LATEST_MILLIS = 120_000;
  private static final int LEAST_INTERFACES = 3;

  private final Ec2World world;
  private final Truth truth;
  private final VirtualTime time;
  private final SplittableRandom random;
  private final Map<String, Kind> theirs = new HashMap<>();

  /** Kinds of attached interfaces. */
  enum Kind {
    /** As ours, without our tags. */
    PLAIN("interface", 0),
    /** Without an address. */
    EFA_ONLY("efa-only", 0),
    /** Of security groups for pods. */
    TRUNK("trunk", 0),
    /** On the second network card. */
    OTHER_CARD("interface", 1);

    private final String type;
    private final int card;

    Kind(String type, int card) {
      this.type = type;
      this.card = card;
    }
  }

  ForeignInterfaces(Ec2World world, Truth truth, VirtualTime time, long seed) {
    this.world = world;
    this.truth = truth;
    this.time = time;
    this.random = new SplittableRandom(seed ^ 0x57a6e5L);
  }

  /** Starts an instance in a subnet; an EFA can be attached to none that runs. */
  String launch(String subnetId, InstanceShape type) {
    int draw = random.nextInt(3);
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    Duration delay = Duration.ofMillis(random.nextInt(LATEST_MILLIS));
    if (draw > 0 || type.interfaces() < LEAST_INTERFACES) {
      return world.launch(type.name(), subnetId);
    }
    if (kind == Kind.EFA_ONLY) {
      String instanceId = world.launch(type.name(), subnetId, type.interfaces() - 1);
      world.interfacesOf(instanceId, kind.type).forEach(id -> theirs.put(id, kind));
      return instanceId;
    }
    String instanceId = world.launch(type.name(), subnetId);
    time.after(delay, () -> attach(instanceId, subnetId, type, kind));
    return instanceId;
  }

  private void attach(String instanceId, String subnetId, InstanceShape type, Kind kind) {
    int index = kind.card > 0 ? 1 : highestFree(instanceId, type);
    if (index > 0) {
      world
          .foreignInterface(instanceId, subnetId, kind.type, kind.card, index)
          .ifPresent(
              id -> {
                theirs.put(id, kind);
                truth.knowOn(id, instanceId);
              });
    }
  }

  /** 0 when there is none. */
  private int highestFree(String instanceId, InstanceShape type) {
    int index = type.interfaces() - 1;
    while (index > 0 && isTaken(instanceId, index)) {
      index--;
    }
    return index;
  }

  private boolean isTaken(String instanceId, int index) {
    return truth.attachedTo(instanceId).stream()
        .map(CloudInterface::deviceIndex)
        .anyMatch(each -> each == index);
  }

  boolean isTheirs(String interfaceId) {
    return theirs.containsKey(interfaceId);
  }

  /** How many of each kind there were. */
  Map<Kind, Integer> count() {
    Map<Kind, Integer> count = new EnumMap<>(Kind.class);
    theirs.values().forEach(kind -> count.merge(kind, 1, Integer::sum));
    return count;
  }
}
