package example.provider;

import example.provider.MachineApi.ApiException.Reason;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.SharedKey;
import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.ListingAllocation;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** One account of the imaginary cloud: what is known of its machines and networks. Thread-safe. */
public final class MinimalProvider extends ListingAllocation<FixedInterface, String> {
  /** How far a read can lag behind the state of this cloud. */
  static final Duration HORIZON = Duration.ofSeconds(20);

  final MachineApi api;
  final CloudCalls calls;
  final AccountState<FixedInterface, String> account;

  /** An account that makes no request yet. */
  public MinimalProvider(MachineApi api, ProviderContext context) {
    this(api, context.calls().create(MachineCalls.POLICY), state(context));
  }

  private MinimalProvider(
      MachineApi api, CloudCalls calls, AccountState<FixedInterface, String> account) {
    super(account, calls);
    this.api = api;
    this.calls = calls;
    this.account = account;
  }

  private static AccountState<FixedInterface, String> state(ProviderContext context) {
    ConfigReader settings = new ConfigReader(context.config(), new ConfigProblems());
    return AccountState.unread(
        context.scheduler(),
        context.metrics(),
        SharedKey.OVERLAY_EXPIRY.read(settings),
        HORIZON,
        new FailureRules(Set.of(Reason.NO_FREE_ADDRESS.name())));
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.RELEASE, Capability.CIDR_RELEASE, Capability.SINGLE_ADDRESSES);
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    return new MinimalNode(this, instanceId(resource).orElseThrow(), resource);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return MachineSectionJson.addresses(resource);
  }

  /** A network; one with as many addresses as anybody may want while it was not read yet. */
  Pool<String> network(PoolId id) {
    return account.pools().find(id).orElseGet(() -> network(id.text(), Integer.MAX_VALUE));
  }

  private static Pool<String> network(String id, int free) {
    return Pool.read(new PoolId(id), "", id, true, free);
  }

  @Override
  protected CompletionStage<CallResult<List<Pool<String>>>> listPools(CallContext context) {
    return calls.call(
        MachineCalls.LIST_NETWORKS,
        context,
        attempt -> api.networks().stream().map(each -> network(each.id(), each.free())).toList());
  }

  @Override
  protected CompletionStage<CallResult<Map<InstanceId, List<FixedInterface>>>> list(
      CallContext context) {
    return calls.call(MachineCalls.LIST_MACHINES, context, attempt -> shown(api.machines()));
  }

  @Override
  public CompletionStage<CallResult<Map<InstanceId, List<FixedInterface>>>> read(
      Set<InstanceId> ids, CallContext context) {
    Set<String> wanted = ids.stream().map(InstanceId::text).collect(Collectors.toSet());
    return calls.call(MachineCalls.LIST_MACHINES, context, attempt -> shown(api.machines(wanted)));
  }

  /** The interface of each machine that a listing shows; the last of one that is there twice. */
  static Map<InstanceId, List<FixedInterface>> shown(List<MachineApi.Machine> machines) {
    return machines.stream()
        .collect(
            Collectors.toMap(
                each -> new InstanceId(each.id()),
                each -> List.of(FixedInterface.of(each)),
                (first, last) -> last));
  }
}
