package io.tidemark.it.ipamd;

import io.tidemark.daemon.ipamd.cloud.HookHostNetwork;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The program that sets a host up for interfaces; it ends with the one that has run it. */
final class HostHook {
  private static final String SITE = "host-network-hook";

  private final BooleanSupplier fails;

  /** Ids of the interfaces that the host is set up for. */
  private final Set<String> ready = new HashSet<>();

  /** Fails now and then. */
  HostHook(BooleanSupplier fails) {
    this.fails = fails;
  }

  boolean isReady(String interfaceId) {
    return ready.contains(interfaceId);
  }

  /** For one run of the node's program. */
  HookHostNetwork.Hook of(VirtualProcess parent) {
    return environment -> {
      if (!parent.isAlive() || fails.getAsBoolean()) {
        return 1;
      }
      String id = environment.getOrDefault("TIDEMARK_INTERFACE", "");
      boolean attached = "attached".equals(environment.get("TIDEMARK_EVENT"));
      if (attached) {
        ready.add(id);
      } else {
        ready.remove(id);
      }
      return 0;
    };
  }

  /** A network that is as another, but for hooks: one that was given up is killed. */
  static EffectModel killed(EffectModel network) {
    return new EffectModel() {
      @Override
      public EffectFate decide(EffectSite site, Duration timeout) {
        EffectFate fate = network.decide(site, timeout);
        boolean late = fate.requestNanos() >= timeout.toNanos();
        return late && site.operation().equals(SITE) ? EffectFate.requestLost() : fate;
      }

      @Override
      public void executed(EffectSite site) {
        network.executed(site);
      }
    };
  }
}
