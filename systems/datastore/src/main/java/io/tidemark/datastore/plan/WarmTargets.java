package io.tidemark.datastore.plan;

import io.tidemark.demand.DemandWatermarks;
import java.util.OptionalInt;

/**
 * The reserve that a node should have. Where one of the first two is set, the others do not count.
 *
 * @param warmIp addresses that can be assigned
 * @param minIp addresses altogether
 * @param warmPrefix whole free prefixes, where addresses are assigned from prefixes
 * @param warmEni free addresses of as many interfaces, where they are not
 */
public record WarmTargets(OptionalInt warmIp, OptionalInt minIp, int warmPrefix, int warmEni) {
  /** One interface, or no prefix, in reserve. */
  public static final WarmTargets DEFAULT =
      new WarmTargets(OptionalInt.empty(), OptionalInt.empty(), 0, 1);

  /** Those of a network card other than the first. */
  public static final WarmTargets OF_OTHER_CARDS =
      new WarmTargets(OptionalInt.of(1), OptionalInt.of(1), 0, 1);

  public WarmTargets {
    require("warm-ip-target", warmIp.orElse(0));
    require("minimum-ip-target", minIp.orElse(0));
    require("warm-prefix-target", warmPrefix);
    require("warm-eni-target", warmEni);
  }

  private static void require(String setting, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(setting + " is " + value + "; expected 0 or more");
    }
  }

  /**
   * Targets that follow demand, with this minimum: a card with fewer than {@code low} free
   * addresses asks for {@code target}, one with more than {@code high} for long enough keeps these,
   * and any other stays as it is. Each pod that waits needs one address more.
   *
   * @param free addresses that can be assigned, or soon can
   * @param waiting pods that found no address
   * @param releases whether more than {@code high} have been free for long enough
   */
  public WarmTargets following(DemandWatermarks demand, long free, int waiting, boolean releases) {
    long spare = free - waiting;
    long most = releases ? Math.min(spare, demand.high()) : spare;
    long kept = spare < demand.low() ? demand.target() : most;
    return new WarmTargets(OptionalInt.of((int) kept + waiting), minIp, 0, 0);
  }

  /** Whether addresses are counted, and not prefixes or interfaces. */
  boolean countAddresses() {
    return warmIp.isPresent() || minIp.isPresent();
  }
}
