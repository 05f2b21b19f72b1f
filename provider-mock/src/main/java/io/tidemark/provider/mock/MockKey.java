package io.tidemark.provider.mock;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import java.time.Duration;
import java.util.List;

/** The settings of the embedded cloud; {@link MockConfig} tells how their values are written. */
final class MockKey {
  private static final Options ALL = new Options();

  static final Option<String> SUBNETS =
      ALL.raw(
          "mock-subnets", "subnets that exist, instead of those made from the IDs in manifests");
  static final Option<String> INSTANCE_TYPES =
      ALL.raw("mock-instance-types", "instance types beside the built-in ones");
  static final Option<String> PUBLIC_ADDRESSES =
      ALL.raw("mock-public-addresses", "static public addresses of the account");
  static final Option<String> ALIAS_RANGES =
      ALL.raw("mock-alias-ranges", "ranges that instances of Nodes have from the start");
  static final Option<String> LATENCY =
      ALL.raw("mock-latency", "latency of requests (default: 0s)");
  static final Option<String> BUCKETS =
      ALL.raw("mock-buckets", "request limits: off, documented, or a share of them (default: off)");
  static final Option<Duration> STALENESS =
      ALL.duration("mock-staleness", "0s", "0", "1h", "how far reads may lag behind, up to 1h");
  static final Option<String> SEED =
      ALL.text(
          "mock-seed",
          "1",
          "-?[0-9]{1,18}",
          "a whole number",
          "seed of interface IDs, lags and random faults");
  static final Option<String> FAULTS =
      ALL.raw("mock-faults", "faults; the first matching rule decides");

  private MockKey() {}

  /** All of them. */
  static List<Option<?>> all() {
    return ALL.all();
  }
}
