package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.cloud.AliasCloud;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A {@link ControllerWorld} beside a cloud, whose requests take 10 ms and can be lost. */
final class CloudWorld {
  final AliasCloud cloud = new AliasCloud();
  final ControllerWorld world;

  /** The fates of the next requests to add a range. */
  final Deque<EffectFate> adds = new ArrayDeque<>();

  /** How long each request to the cloud takes there and back. */
  Duration travel = Duration.ofMillis(5);

  /** Families as in {@link ControllerWorld}. */
  CloudWorld(CidrAllocatorType type, String families) {
    this.world = new ControllerWorld(families);
    world.cloud = Optional.of(process -> cloud.source(type, process.effects(new Network())));
    world.rebuilt();
  }

  /** An instance with these ranges, then a node on it, without CIDRs. */
  void join(String name, String... ranges) {
    cloud.launch(name, ranges);
    create(name);
  }

  /** A node on an instance of the same name, without CIDRs. */
  ClusterNode create(String name) {
    return world.server.create(node(name)).orElseThrow();
  }

  /** The same, with CIDRs. */
  ClusterNode create(String name, String... cidrs) {
    PodCidrs has = new PodCidrs(cidrs[0], List.of(cidrs), Optional.of("before-us"));
    return world.server.create(node(name).withPodCidrs(has)).orElseThrow();
  }

  private static ClusterNode node(String name) {
    return ClusterNode.named(name, "").withProviderId(AliasCloud.providerId(name));
  }

  /** The condition {@code NetworkUnavailable} of a node on the server. */
  Optional<Boolean> networkUnavailable(String name) {
    return world.server.find(name).flatMap(ClusterNode::networkUnavailable);
  }

  long count(String request) {
    return cloud.requests.stream().filter(request::equals).count();
  }

  private final class Network implements EffectModel {
    @Override
    public EffectFate decide(EffectSite site, Duration timeout) {
      EffectFate fate = site.operation().startsWith("add") ? adds.poll() : null;
      return fate == null ? EffectFate.answered(travel, travel) : fate;
    }

    @Override
    public void executed(EffectSite site) {
      // nothing fails here
    }
  }
}
