package io.tidemark.provider.aws.eni;

import io.tidemark.spi.InstanceId;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Instances that EC2 refused another interface although their type should carry it (provider-aws
 * 1.3, INSTANCE_FULL). Holds until the set of attached interfaces changes; what took the place may
 * also come and go between two reads, so one more attempt is made after a while that doubles with
 * every refusal. Thread-safe.
 */
final class LearnedLimits {
  private static final Duration FIRST = Duration.ofMinutes(5);
  private static final int DOUBLINGS_MAX = 6;

  private final TimeSource time;
  private final ConcurrentHashMap<InstanceId, Full> full = new ConcurrentHashMap<>();

  /**
   * EC2's answer.
   *
   * @param attached ids of the interfaces that there were
   * @param untilNanos holds until then
   * @param refusals so many with the same interfaces
   */
  private record Full(int interfacesMax, List<String> attached, long untilNanos, int refusals) {}

  LearnedLimits(TimeSource time) {
    this.time = time;
  }

  /** EC2 said that no more can be attached than there are. */
  void refused(InstanceId id, List<AwsEni> attached) {
    int onCard0 = (int) attached.stream().filter(AwsEni::onCard0).count();
    List<String> ids = ids(attached);
    full.compute(
        id,
        (same, before) -> {
          int refusals =
              before != null && before.attached().equals(ids)
                  ? Math.min(DOUBLINGS_MAX, before.refusals() + 1)
                  : 0;
          return new Full(onCard0, ids, time.nanos() + (FIRST.toNanos() << refusals), refusals);
        });
  }

  /** The interfaces that the instance can have; empty when nothing was learned. */
  OptionalInt of(InstanceId id, List<AwsEni> attached) {
    Full known = full.get(id);
    if (known == null) {
      return OptionalInt.empty();
    }
    if (!known.attached().equals(ids(attached))) {
      full.remove(id, known);
      return OptionalInt.empty();
    }
    return time.nanos() - known.untilNanos() < 0
        ? OptionalInt.of(known.interfacesMax())
        : OptionalInt.empty();
  }

  void forget(InstanceId id) {
    full.remove(id);
  }

  private static List<String> ids(List<AwsEni> attached) {
    return attached.stream().map(eni -> eni.id().text()).sorted().toList();
  }
}
