package io.tidemark.provider.aws.eni;

import io.tidemark.spi.InstanceId;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Instances that EC2 refused another interface although their type should carry it (provider-aws
 * 1.3, INSTANCE_FULL). Holds until the set of attached interfaces changes. Thread-safe.
 */
final class LearnedLimits {
  private final ConcurrentHashMap<InstanceId, Full> full = new ConcurrentHashMap<>();

  private record Full(int interfacesMax, List<String> attached) {}

  /** EC2 said that no more can be attached than there are. */
  void refused(InstanceId id, List<Eni> attached) {
    int onCard0 = (int) attached.stream().filter(Eni::onCard0).count();
    full.put(id, new Full(onCard0, ids(attached)));
  }

  /** The interfaces that the instance can have; empty when nothing was learned. */
  OptionalInt of(InstanceId id, List<Eni> attached) {
    Full known = full.get(id);
    if (known == null) {
      return OptionalInt.empty();
    }
    if (!known.attached().equals(ids(attached))) {
      full.remove(id, known);
      return OptionalInt.empty();
    }
    return OptionalInt.of(known.interfacesMax());
  }

  void forget(InstanceId id) {
    full.remove(id);
  }

  private static List<String> ids(List<Eni> attached) {
    return attached.stream().map(eni -> eni.id().text()).sorted().toList();
  }
}
