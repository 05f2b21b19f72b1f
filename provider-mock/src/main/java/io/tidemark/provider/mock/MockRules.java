package io.tidemark.provider.mock;

import io.tidemark.provider.kit.plan.AllocationPlanner;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.CallKind;
import java.util.Comparator;
import java.util.List;

/** The mock cloud's decisions about a plan: the lowest device index is filled first. Pure. */
record MockRules(MockSlots slots, int attached, PoolChoice choice, List<Pool<Subnet>> pools)
    implements AllocationPlanner.Rules<MockInterface, Subnet> {
  private static final Words WORDS = new Words("the cloud", "block");

  @Override
  public Words words() {
    return WORDS;
  }

  @Override
  public Comparator<MockInterface> order() {
    return Comparator.comparingInt(MockInterface::index).thenComparing(MockInterface::id);
  }

  @Override
  public CallKind assign() {
    return CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES.kind();
  }

  @Override
  public CallKind create() {
    return CloudOperation.CREATE_NETWORK_INTERFACE.kind();
  }

  @Override
  public List<Pool<Subnet>> eligible() {
    return choice.eligible(pools, slots.type().addressesPerInterface());
  }

  @Override
  public String whyNoPool() {
    return "no subnet matches " + choice;
  }

  @Override
  public String allTaken() {
    return slots.type().name()
        + " has "
        + attached
        + " of "
        + slots.type().interfaces()
        + " interfaces, none with room"
        + (slots.firstIndex() > 0
            ? " at device index " + slots.firstIndex() + " or above, those for pods"
            : "");
  }
}
