package io.tidemark.provider.aws.eni;

import io.tidemark.spi.InstanceId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which of the instances that nodes name exist where we look, ended ones included, as far as EC2
 * was asked; counted with each answer. Where none exists, the region or the account is wrong rather
 * than every instance gone. Thread-safe.
 */
final class NamedInstances {
  private final ConcurrentHashMap<InstanceId, Boolean> known = new ConcurrentHashMap<>();
  private final AtomicInteger existing = new AtomicInteger();
  private final AtomicInteger absent = new AtomicInteger();

  /** EC2 was asked for an instance that a node names. */
  void told(InstanceId id, boolean exists) {
    counted(known.put(id, exists), exists);
  }

  void forget(InstanceId id) {
    counted(known.remove(id), null);
  }

  private void counted(@Nullable Boolean before, @Nullable Boolean now) {
    if (before != null) {
      (before ? existing : absent).decrementAndGet();
    }
    if (now != null) {
      (now ? existing : absent).incrementAndGet();
    }
  }

  /** Whether this one is absent, and so is every other that EC2 was asked for. */
  boolean isElsewhere(InstanceId id) {
    return Boolean.FALSE.equals(known.get(id)) && noneExists(existing.get(), absent.get());
  }

  /** Whether EC2 was asked for all, so many, and none exists. */
  boolean allElsewhere(int named) {
    int gone = absent.get();
    return gone >= named && noneExists(existing.get(), gone);
  }

  /** One that exists is enough. */
  private static boolean noneExists(int existing, int absent) {
    return existing <= 0 && absent > 0;
  }
}
