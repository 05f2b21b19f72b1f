package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which pool a request means, and why there is none. Thread-safe. */
final class PoolChoice {
  private final Shards shards;
  private final PoolMetadata metadata;

  PoolChoice(Shards shards, PoolMetadata metadata) {
    this.shards = shards;
    this.metadata = metadata;
  }

  /**
   * The pool that an address is to come from.
   *
   * @param failure why it is not known which one; null when it is
   */
  record Source(PoolName pool, IpFamily family, @Nullable Shard shard, @Nullable Denial failure) {
    Allocation allocateNext(String owner, long now) {
      return shard == null ? new Denied(denial()) : shard.allocateNext(owner, now);
    }

    Optional<Denial> unable(String owner, long now) {
      return shard == null ? Optional.of(denial()) : shard.unable(owner, now);
    }

    private Denial denial() {
      return failure == null ? Denial.poolNotReady(pool, family) : failure;
    }
  }

  /** The pool that is named; if none is, the one that the owner prefers, or the default one. */
  Source source(IpFamily family, String owner, PoolName pool) {
    PoolName from = pool;
    if (!pool.isGiven()) {
      PoolMetadata.Answer answer = metadata.poolOf(owner, family);
      if (answer instanceof PoolMetadata.Answer.Unknown unknown) {
        Denial failure = Denial.metadataFailure(owner, unknown.reason());
        return new Source(pool, family, null, failure);
      }
      from =
          answer instanceof PoolMetadata.Answer.Named named
              ? new PoolName(named.pool())
              : shards.defaultPool();
    }
    return new Source(from, family, shards.find(family, from), null);
  }

  Source defaultSource(IpFamily family) {
    return source(family, "", shards.defaultPool());
  }

  /** The pool of a request about one address, which must name it; null when there is none. */
  @Nullable Shard named(IpAddress ip, PoolName pool) {
    return pool.isGiven() ? shards.find(ip.family(), pool) : null;
  }

  /** Why {@link #named} finds none. */
  Denial missing(IpAddress ip, PoolName pool) {
    if (!pool.isGiven()) {
      return Denial.poolRequired(ip);
    }
    return shards.serves(ip.family())
        ? Denial.poolNotReady(pool, ip.family())
        : Denial.familyDisabled(ip.family());
  }
}
