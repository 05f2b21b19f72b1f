package io.tidemark.provider.mock;

import io.tidemark.provider.kit.Creations;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** What everybody who works for one account shares. Thread-safe. */
final class MockAccount {
  final MockApi api;
  final InstanceInventory<Eni> inventory;
  final MockPools pools;
  final Creations creations = new Creations();
  final OwnerTags owner;
  final TaskScheduler scheduler;
  final Duration horizon;
  private static final int SPECS_MAX = 10_000;

  private final ConcurrentHashMap<EniSpec, EniSpec> specs = new ConcurrentHashMap<>();
  volatile List<SecurityGroup> securityGroups = List.of();
  final ConcurrentHashMap<InstanceId, MockNode> nodes = new ConcurrentHashMap<>();

  MockAccount(
      MockApi api,
      InstanceInventory<Eni> inventory,
      MockPools pools,
      OwnerTags owner,
      TaskScheduler scheduler,
      Duration horizon) {
    this.api = api;
    this.inventory = inventory;
    this.pools = pools;
    this.owner = owner;
    this.scheduler = scheduler;
    this.horizon = horizon;
  }

  /** One object for all nodes whose sections say the same. */
  EniSpec shared(EniSpec spec) {
    if (specs.size() > SPECS_MAX) {
      specs.clear();
    }
    EniSpec first = specs.putIfAbsent(spec, spec);
    return first == null ? spec : first;
  }

  /** A stage that has ended already. */
  static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
