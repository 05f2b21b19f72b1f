package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One account of a cloud inside a simulation. Used by the simulation's thread alone. Everything but
 * {@link #provider} is beside the cloud's API: not counted, not limited, never stale.
 */
public interface SimulatedCloud {
  /** Name of every simulated cluster, in the tags of what it owns. */
  String CLUSTER_NAME = "simulated";

  /** A provider for one operator process, which talks to this cloud through the context's calls. */
  AllocationImplementation provider(ProviderContext context);

  /** What operations its API has, by the names of calls, faults and crash points. */
  List<CloudOperationInfo> operations();

  // ---- what the account's owner does

  /**
   * Starts an instance with its primary interface.
   *
   * @return its id: the launch's, where the cloud lets its owner choose, else the cloud's
   */
  String launch(Launch launch);

  /** Lets an instance stop, or start again. */
  void running(String instanceId, boolean running);

  /** Ends an instance for good. */
  void terminate(String instanceId);

  /** What the node's agent writes about its instance into a new resource. */
  NodeResource introduced(NodeResource bare, Launch launch);

  /** What the cloud's section of the resource's status shows, as the provider's own method. */
  default Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  /** The cloud's section in the spec of a node's resource. */
  default String section() {
    return "eni";
  }

  /** An interface that is attached nowhere and belongs to somebody else; answers its id. */
  String strangersInterface(String subnetId);

  /**
   * Whether somebody else put the interface on one of the instances and keeps it: it takes its
   * place, and no operator may ever change it. Clouds without such neighbours have none.
   */
  default boolean isStrangers(String interfaceId) {
    return false;
  }

  /** Strangers take so many tokens of every bucket now, as a share of {@code seconds} of refill. */
  void strangersTake(double share, double seconds);

  // ---- the truth

  /** What changed since the last call, oldest first. */
  List<CloudChange> drainChanges();

  /** Whether the instance is neither unknown nor terminated. */
  boolean exists(String instanceId);

  /** Whether the instance runs. */
  boolean isRunning(String instanceId);

  /** One interface as it is now. */
  Optional<CloudInterface> networkInterface(String interfaceId);

  /**
   * The interfaces of an instance as they are now, in order of attachment; unmodifiable. An
   * interface that did not change is the same object as before, and so is a list of such.
   */
  List<CloudInterface> attachedTo(String instanceId);

  /** Whether an interface carries the tags of the cluster's operator. */
  boolean isOurs(CloudInterface one);

  /** Whether the address, not as primary one, is attached to the instance at this moment. */
  boolean isAttached(String instanceId, IpAddress address);

  /** Every subnet with what is free in it, ids ascending. */
  List<CloudSubnet> subnets();

  /** One of them. */
  CloudSubnet subnet(String id);

  /**
   * How long an interface of ours that nobody uses may be there until the provider has looked twice
   * and deleted it, nothing going wrong.
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
   * @param instanceId a proposal until the cloud has said which it is
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
   */
  record CloudOperationInfo(String name, boolean mutating) {}

  /**
   * A subnet.
   *
   * @param free addresses nobody holds
   */
  record CloudSubnet(String id, String vpcId, String zone, int free) {}
}
