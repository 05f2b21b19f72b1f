package io.tidemark.config;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A few settings of a program, under names that people mistype. */
final class SampleKey {
  private static final Options ALL = new Options();

  static final Option<String> CLUSTER_NAME =
      ALL.text("cluster-name", "default", "[a-z]{1,63}", "letters", "name");
  static final Option<Integer> WORKERS = ALL.with(SharedKey.PARALLEL_ALLOC_WORKERS);
  static final Option<Boolean> RELEASE = ALL.with(SharedKey.RELEASE_EXCESS_IPS);
  static final Option<Duration> DELAY =
      ALL.durationOrSeconds("excess-ip-release-delay", "3m", "0", "720h", "pause");
  static final Option<Duration> CAP =
      ALL.duration("backoff-cap", "5m", "1ms", "24h", "longest pause");
  static final Option<Integer> ATTEMPTS = ALL.integer("sync-attempts", 2, 1, 10, "attempts");

  private SampleKey() {}

  static List<Option<?>> all() {
    return ALL.all();
  }

  /** Settings of a provider with these keys. */
  static List<Option<?>> named(String... keys) {
    Options options = new Options();
    for (String key : Set.of(keys)) {
      options.raw(key, "text");
    }
    return options.all();
  }
}
