package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallToken;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.spi.contract.UnaskedOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** One instance of {@link RandomProvider}. Thread-safe. */
final class RandomNode extends UnaskedOperations {
  private static final List<Failure.Kind> REFUSALS =
      List.of(
          Failure.Kind.THROTTLED,
          Failure.Kind.TRANSIENT,
          Failure.Kind.CONFLICT,
          Failure.Kind.CONFIGURATION,
          Failure.Kind.NOT_RUNNING,
          Failure.Kind.CAPACITY);
  private static final CallKind ASSIGN = new CallKind("assign", CallKind.Effect.ONCE);

  private final RandomProvider provider;
  private final Cidr range;
  private final InterfaceId interfaceId;
  private final AtomicInteger changing = new AtomicInteger();
  private volatile AddressSet truth = AddressSet.of();
  private volatile Inventory.Known cache;

  RandomNode(RandomProvider provider, Cidr range) {
    this.provider = provider;
    this.range = range;
    this.interfaceId = new InterfaceId("eni-" + range.network());
    this.cache = known(0, truth);
  }

  static SyncOutcome failed() {
    return new SyncOutcome.Failed(Failure.of(Failure.Kind.TRANSIENT, "random", "no luck"));
  }

  AddressSet truth() {
    return truth;
  }

  private Inventory.Known known(long generation, AddressSet addresses) {
    return new Inventory.Known(
        generation,
        List.of(new AttachedInterface(interfaceId, addresses, List.of())),
        new InterfaceStatistics(200, 1, 1, 0, 0, Optional.empty()));
  }

  /** A read that began at {@code started} takes effect unless something changed since. */
  synchronized void read(long started) {
    if (cache.generation() <= started) {
      cache = known(cache.generation(), truth);
    }
  }

  private synchronized void apply(AddressSet addresses, boolean seen) {
    truth = addresses;
    cache = known(provider.generation.incrementAndGet(), seen ? addresses : attachedInCache());
  }

  private AddressSet attachedInCache() {
    return cache.interfaces().get(0).singles();
  }

  /** {@code work} is told whether the cache sees what it does. */
  private <T> CompletionStage<T> change(
      String what,
      CallContext context,
      Function<Boolean, T> work,
      Function<Failure, T> refused,
      Function<Failure, T> unknown) {
    provider.locks.leaving(what);
    if (changing.getAndIncrement() != 0) {
      provider.violations.add("two changes of " + interfaceId + " at once");
    }
    context.token().ifPresent(CallToken::take);
    int fate = provider.fate(24);
    if (fate == 1) {
      changing.decrementAndGet();
      throw new IllegalStateException("a provider that breaks its promise");
    }
    provider.changeBegins();
    CompletionStage<T> stage =
        provider.later(
            () -> {
              changing.decrementAndGet();
              provider.changeEnds();
              if (fate >= 2 && fate < 2 + REFUSALS.size()) {
                return refused.apply(failure(REFUSALS.get(fate - 2)));
              }
              if (fate == 11) {
                throw new IllegalStateException("an exception instead of a value");
              }
              if (fate < 8 || fate > 10) {
                return work.apply(true);
              }
              if (fate != 10) {
                Object ignored = work.apply(false);
              }
              return unknown.apply(failure(Failure.Kind.LOST));
            });
    return fate == 12 ? new CompletableFuture<>() : stage; // never: the deadline must do
  }

  private static Failure failure(Failure.Kind kind) {
    return Failure.of(kind, "random", "no luck");
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    return change(
        "allocateIps",
        context,
        seen -> {
          AddressSet added = free(action.ipv4().singles());
          apply(truth.plus(added), seen);
          return new AllocationOutcome.Allocated(
              List.of(new AttachedInterface(interfaceId, added, List.of())),
              Optional.empty(),
              Optional.empty(),
              cache.generation());
        },
        AllocationOutcome.Refused::new,
        AllocationOutcome.Unknown::new);
  }

  private AddressSet free(int count) {
    List<IpAddress> found = new ArrayList<>();
    for (int i = 4; i < 250 && found.size() < count; i++) {
      IpAddress address = range.address(i);
      if (!truth.contains(address)) {
        found.add(address);
      }
    }
    return AddressSet.copyOf(found);
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    return change(
        "release",
        context,
        seen -> {
          apply(truth.minus(action.addresses()), seen);
          return new ReleaseOutcome.Released(
              action.addresses(), List.of(), Optional.empty(), cache.generation());
        },
        ReleaseOutcome.NothingReleased::new,
        ReleaseOutcome.Unknown::new);
  }

  @Override
  public void updatedNode(NodeResource resource) {
    provider.locks.leaving("updatedNode");
  }

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    provider.locks.leaving("withProviderStatus");
    return resource;
  }

  @Override
  public Inventory inventory() {
    return cache;
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    provider.locks.leaving("prepareIpAllocation");
    return new AllocationAction(
        Optional.of(interfaceId),
        Optional.of(RandomProvider.POOL),
        0,
        new AddressPlan(200, 0, OptionalInt.empty(), 1, 1),
        0,
        List.of(ASSIGN),
        Optional.empty());
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    return new ReleaseAction(
        Optional.of(interfaceId),
        Optional.of(RandomProvider.POOL),
        attachedInCache().minus(used).last(excess),
        List.of(),
        ASSIGN);
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    return OptionalInt.of(200);
  }
}
