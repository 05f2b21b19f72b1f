package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.AssignedAddresses;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CreateInterfaceRequest;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.InterfaceQuery;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.provider.mock.cloud.Page;
import io.tidemark.provider.mock.cloud.PublicAddress;
import io.tidemark.provider.mock.cloud.SecurityGroup;
import io.tidemark.provider.mock.cloud.SubnetView;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The only door to the cloud: one method per request, each exactly one leaf. A provider of a remote
 * cloud has its client library behind a class like this and nowhere else.
 */
final class MockApi {
  private final MockCloud cloud;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final Map<CloudOperation, Duration> latencies;

  /**
   * A door to one account.
   *
   * @param latencies how much later than it comes each answer is passed on; for runs in real time,
   *     empty where the effect runner adds it
   */
  MockApi(
      MockCloud cloud,
      CloudCalls calls,
      TaskScheduler scheduler,
      Map<CloudOperation, Duration> latencies) {
    this.cloud = cloud;
    this.calls = calls;
    this.scheduler = scheduler;
    this.latencies = Map.copyOf(latencies);
  }

  /** Where its requests go through. */
  CloudCalls calls() {
    return calls;
  }

  // ---- reads

  CompletionStage<CallResult<List<Vpc>>> vpcs(CallContext context) {
    return send(CloudOperation.DESCRIBE_VPCS, context, attempt -> cloud.describeVpcs());
  }

  CompletionStage<CallResult<List<SubnetView>>> subnets(CallContext context) {
    return send(CloudOperation.DESCRIBE_SUBNETS, context, attempt -> cloud.describeSubnets());
  }

  CompletionStage<CallResult<List<SecurityGroup>>> securityGroups(CallContext context) {
    return send(
        CloudOperation.DESCRIBE_SECURITY_GROUPS,
        context,
        attempt -> cloud.describeSecurityGroups());
  }

  CompletionStage<CallResult<List<Instance>>> instances(
      Collection<InstanceId> ids, CallContext context) {
    TreeSet<String> texts = new TreeSet<>();
    ids.forEach(id -> texts.add(id.text()));
    return send(
        CloudOperation.DESCRIBE_INSTANCES, context, attempt -> cloud.describeInstances(texts));
  }

  CompletionStage<CallResult<List<NetworkInterface>>> interfacesOf(
      Collection<InstanceId> ids, CallContext context) {
    TreeSet<String> texts = new TreeSet<>();
    ids.forEach(id -> texts.add(id.text()));
    return whole(new InterfaceQuery.OfInstances(texts), context);
  }

  CompletionStage<CallResult<List<NetworkInterface>>> networkInterface(
      InterfaceId id, CallContext context) {
    return whole(new InterfaceQuery.Ids(new TreeSet<>(List.of(id.text()))), context);
  }

  CompletionStage<CallResult<List<NetworkInterface>>> interfacesTagged(
      String key, String value, CallContext context) {
    return whole(new InterfaceQuery.Tagged(key, value), context);
  }

  CompletionStage<CallResult<Page<NetworkInterface>>> allInterfaces(
      String pageToken, CallContext context) {
    return send(
        CloudOperation.DESCRIBE_NETWORK_INTERFACES,
        context,
        attempt -> cloud.describeNetworkInterfaces(new InterfaceQuery.All(), pageToken));
  }

  CompletionStage<CallResult<List<PublicAddress>>> publicAddresses(
      Map<String, String> tags, CallContext context) {
    return send(
        CloudOperation.DESCRIBE_ADDRESSES, context, attempt -> cloud.describeAddresses(tags));
  }

  /** The alias ranges of the instances that exist. */
  CompletionStage<CallResult<Map<InstanceId, List<Cidr>>>> aliasRanges(
      Collection<InstanceId> ids, CallContext context) {
    TreeSet<String> texts = new TreeSet<>();
    ids.forEach(id -> texts.add(id.text()));
    return send(
        CloudOperation.DESCRIBE_ALIAS_RANGES,
        context,
        attempt -> {
          Map<InstanceId, List<Cidr>> ranges = new TreeMap<>();
          cloud
              .describeAliasRanges(texts)
              .forEach((id, each) -> ranges.put(new InstanceId(id), each));
          return ranges;
        });
  }

  // ---- changes

  CompletionStage<CallResult<NetworkInterface>> create(
      CreateInterfaceRequest request, CallContext context) {
    return send(
        CloudOperation.CREATE_NETWORK_INTERFACE,
        context,
        attempt -> cloud.createNetworkInterface(request));
  }

  CompletionStage<CallResult<Attachment>> attach(
      InterfaceId id, InstanceId to, int index, CallContext context) {
    return send(
        CloudOperation.ATTACH_NETWORK_INTERFACE,
        context,
        attempt -> cloud.attachNetworkInterface(id.text(), to.text(), index));
  }

  CompletionStage<CallResult<InterfaceId>> markDeleteOnTermination(
      InterfaceId id, boolean wanted, CallContext context) {
    return send(
        CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE,
        context,
        attempt -> {
          cloud.modifyDeleteOnTermination(id.text(), wanted);
          return id;
        });
  }

  CompletionStage<CallResult<AttachedInterface>> assign(
      InterfaceId id, int singles, int blocks, CallContext context) {
    return send(
        CloudOperation.ASSIGN_PRIVATE_IP_ADDRESSES,
        context,
        attempt -> {
          AssignedAddresses got = cloud.assignPrivateIpAddresses(id.text(), singles, blocks);
          return new AttachedInterface(id, got.singles(), got.prefixes());
        });
  }

  /** Of a repetition that finds nothing to take away the first attempt may have been the cause. */
  CompletionStage<CallResult<InterfaceId>> unassign(
      InterfaceId id, AddressSet singles, List<Cidr> prefixes, CallContext context) {
    return send(
        CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES,
        context,
        attempt -> {
          try {
            cloud.unassignPrivateIpAddresses(id.text(), singles, prefixes);
          } catch (CloudException refused) {
            if (attempt.number() > 1 && refused.code() == CloudErrorCode.INVALID_PARAMETER) {
              throw new IOException("repeated, and refused: " + refused.getMessage(), refused);
            }
            throw refused;
          }
          return id;
        });
  }

  CompletionStage<CallResult<InterfaceId>> detach(InterfaceId id, CallContext context) {
    return send(
        CloudOperation.DETACH_NETWORK_INTERFACE,
        context,
        attempt -> {
          cloud.detachNetworkInterface(id.text());
          return id;
        });
  }

  CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return send(
        CloudOperation.DELETE_NETWORK_INTERFACE,
        context,
        attempt -> {
          cloud.deleteNetworkInterface(id.text());
          return id;
        });
  }

  /** Returns the address, which is associated then. */
  CompletionStage<CallResult<IpAddress>> associate(
      PublicAddress address, InterfaceId with, CallContext context) {
    return send(
        CloudOperation.ASSOCIATE_ADDRESS,
        context,
        attempt -> {
          cloud.associateAddress(address.allocationId(), with.text());
          return address.address();
        });
  }

  CompletionStage<CallResult<InstanceId>> addAliasRange(
      InstanceId id, Cidr cidr, CallContext context) {
    return send(
        CloudOperation.ADD_ALIAS_RANGE,
        context,
        attempt -> {
          cloud.addAliasRange(id.text(), cidr);
          return id;
        });
  }

  // ---- from the cloud's terms to ours

  /** An attached interface in the provider's terms. */
  static MockInterface eni(NetworkInterface each, Attachment attachment) {
    return new MockInterface(
        new InterfaceId(each.id()),
        attachment.deviceIndex(),
        new PoolId(each.subnetId()),
        each.mac(),
        each.description(),
        each.primary(),
        each.singles(),
        each.prefixes().stream().sorted().toList(),
        each.securityGroups(),
        each.tags(),
        attachment.deleteOnTermination(),
        each.publicAddress(),
        each.ipv6());
  }

  private CompletionStage<CallResult<List<NetworkInterface>>> whole(
      InterfaceQuery query, CallContext context) {
    return send(
        CloudOperation.DESCRIBE_NETWORK_INTERFACES,
        context,
        attempt -> cloud.describeNetworkInterfaces(query, "").items());
  }

  private <T> CompletionStage<CallResult<T>> send(
      CloudOperation operation, CallContext context, CloudCalls.Leaf<T> leaf) {
    CompletionStage<CallResult<T>> stage = calls.call(operation.kind(), context, leaf);
    Duration latency = latencies.getOrDefault(operation, Duration.ZERO);
    return latency.isZero() ? stage : stage.thenCompose(result -> later(result, latency, context));
  }

  private <T> CompletionStage<T> later(T result, Duration latency, CallContext context) {
    CompletableFuture<T> delayed = new CompletableFuture<>();
    long now = scheduler.time().nanos();
    long at = Math.min(now + latency.toNanos(), Math.max(now, context.deadlineNanos()));
    scheduler.at(at, () -> delayed.complete(result));
    return delayed;
  }
}
