package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * One account of a cloud inside a simulation. Used by the simulation's thread alone. All methods
 * except {@link #provider} bypass the cloud's API: they are not counted or limited and never stale.
 */
public interface SimulatedCloud {
  /** Name of every simulated cluster, in the tags of what it owns. */
  String CLUSTER_NAME = "simulated";

  /** A provider for one operator process, which reaches this cloud through the context's calls. */
  AllocationImplementation provider(ProviderContext context);

  /** The operations of its API; calls, faults, latencies and crash points use their names. */
  List<CloudOperationInfo> operations();

  // ---- the account's owner

  /**
   * Starts an instance with its primary interface.
   *
   * @return its id: the launch's, where the cloud lets its owner choose, else the cloud's
   */
  String launch(Launch launch);

  /** Starts or stops an instance. */
  void running(String instanceId, boolean running);

  /** Ends an instance for good. */
  void terminate(String instanceId);

  /** The agent's statement about its instance in a new resource. */
  NodeResource introduced(NodeResource bare, Launch launch);

  /** The interfaces that the cloud's section of the status shows an agent, by id. */
  Map<String, ShownInterface> shownInterfaces(NodeResource resource);

  /** The families that agents serve; IPv4 by default. */
  default Set<IpFamily> families() {
    return Set.of(IpFamily.IPV4);
  }

  /** The name of the cloud's section in the spec of a node's resource. */
  String section();

  /** Creates an interface of another owner that is attached nowhere; returns its id. */
  String foreignInterface(String subnetId);

  /**
   * Whether another owner attached the interface to one of the instances: it takes a slot, and no
   * operator may ever change it. None by default.
   */
  default boolean isForeign(String interfaceId) {
    return false;
  }

  /**
   * Addresses of an instance's interface that serve pods and that no operator may ever release,
   * because another owner needs them. None by default.
   */
  default AddressSet pinned(String interfaceId) {
    return AddressSet.of();
  }

  /** How long a change of this cloud may take, where the engine's usual time is too short. */
  default Optional<Duration> passTimeout() {
    return Optional.empty();
  }

  /** Whether a change that was accepted goes on. By default a change ends with its answer. */
  default boolean isChanging() {
    return false;
  }

  /**
   * Noisy neighbours take tokens from every bucket now.
   *
   * @param share of what {@code seconds} of refill give
   */
  void neighboursTake(double share, double seconds);

  /**
   * Takes the listener for changes that no request and none of these methods makes, but the passing
   * of time alone, such as the end of a long-running operation. The cloud calls it after each of
   * them, on the simulation's thread. By default there are none.
   */
  default void onTimedChange(Runnable listener) {
    // nothing changes by itself
  }

  // ---- the truth

  /** The changes since the last call, oldest first. */
  List<CloudChange> drainChanges();

  /** The current state of an interface. */
  Optional<CloudInterface> networkInterface(String interfaceId);

  /**
   * The interfaces of an instance as they are now, in order of attachment; unmodifiable. An
   * interface that did not change is the same object as before, and so is a list of such.
   */
  List<CloudInterface> attachedTo(String instanceId);

  /** Whether an interface carries the tags of the cluster's operator. */
  boolean isOurs(CloudInterface one);

  /** Whether the address, not as primary one, is attached to the instance at this moment. */
  default boolean isAttached(String instanceId, IpAddress address) {
    for (CloudInterface each : attachedTo(instanceId)) {
      if (each.holds(address)) {
        return true;
      }
    }
    return false;
  }

  /** All subnets with their free addresses, ids ascending. */
  List<CloudSubnet> subnets();

  /** One of them. */
  CloudSubnet subnet(String id);

  /**
   * How long an unused interface of ours may exist before the provider has seen it twice and
   * deleted it, without any fault.
   *
   * @param scan one period of the background scan
   */
  Duration collectedAfter(Duration scan);

  /** Requests per operation that reached the cloud, throttled ones included. */
  SortedMap<String, Long> calls();

  /** Requests per operation that were throttled. */
  SortedMap<String, Long> throttled();

  /**
   * An instance to start.
   *
   * @param instanceId a proposal; the cloud may choose another
   * @param nodeName name of the node it will be
   * @param firstInterfaceIndex interfaces below it hold no pod addresses
   */
  record Launch(
      String instanceId,
      String nodeName,
      String instanceType,
      String subnetId,
      int firstInterfaceIndex) {
    /** The same as the cloud calls it. */
    public Launch as(String id) {
      return new Launch(id, nodeName, instanceType, subnetId, firstInterfaceIndex);
    }
  }

  /**
   * One operation of the API.
   *
   * @param mutating whether it changes anything
   * @param latency of a request and its response, unless the scenario sets another one
   */
  record CloudOperationInfo(String name, boolean mutating, Duration latency) {}

  /**
   * An interface as shown in the status.
   *
   * @param addresses the listed addresses, including those of blocks that are listed
   * @param blocks delegated blocks
   */
  record ShownInterface(AddressSet addresses, List<Cidr> blocks) {}

  /**
   * A subnet.
   *
   * @param free addresses that are not in use
   */
  record CloudSubnet(String id, String vpcId, String zone, int free) {}
}
