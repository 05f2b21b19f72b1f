package io.tidemark.node;

import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;

/** A plan as a sentence for people. Pure. */
final class PlanText {
  private PlanText() {}

  static String of(MaintenancePlan plan) {
    if (plan instanceof MaintenancePlan.Idle) {
      return "idle: nothing to do";
    }
    if (plan instanceof MaintenancePlan.DrainWaits waits) {
      return "idle: the drain waits, its free addresses stay in use: " + waits.why().detail();
    }
    if (plan instanceof MaintenancePlan.Stuck stuck) {
      return "none: " + stuck.blocked().detail();
    }
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      return "allocate "
          + amount(allocate.action())
          + " on "
          + allocate.action().onInterface().map(InterfaceId::text).orElse("?")
          + pool(allocate.action());
    }
    if (plan instanceof MaintenancePlan.CreateInterface create) {
      return "create an interface with up to " + amount(create.action()) + pool(create.action());
    }
    if (plan instanceof MaintenancePlan.AssignStaticAddress assign) {
      return "assign a public address with tags " + assign.tags();
    }
    if (plan instanceof MaintenancePlan.Release release) {
      int candidates = release.candidates().allAddresses().size();
      int now = release.releasable().map(action -> action.allAddresses().size()).orElse(0);
      return "release "
          + candidates
          + " addresses"
          + on(release.candidates())
          + ", "
          + now
          + " of them acknowledged";
    }
    MaintenancePlan.ReleaseCidrs cidrs = (MaintenancePlan.ReleaseCidrs) plan;
    return "release what the agent dropped on " + cidrs.actions().size() + " interfaces";
  }

  private static String amount(AllocationAction action) {
    int wanted =
        Math.min(action.ipv4().wanted(), action.ipv4().ceiling().orElse(Integer.MAX_VALUE));
    String blocks =
        action.ipv4().blockSize() > 1 ? " in blocks of " + action.ipv4().blockSize() : "";
    return wanted + " addresses" + blocks;
  }

  private static String pool(AllocationAction action) {
    return action.pool().map(PoolId::text).map(id -> " from " + id).orElse("");
  }

  private static String on(ReleaseAction action) {
    return action.onInterface().map(id -> " of " + id).orElse("");
  }
}
