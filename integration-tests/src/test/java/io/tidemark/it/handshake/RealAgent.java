package io.tidemark.it.handshake;

import io.tidemark.agent.crd.AgentReleaseHandshake;
import io.tidemark.agent.crd.AgentReleaseHandshake.Phase;
import io.tidemark.agent.crd.AgentReleaseHandshake.Sight;
import io.tidemark.agent.crd.AgentReleaseHandshake.Step;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceCatalog;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.HandshakeAgent;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * {@link AgentReleaseHandshake} in the model search. It knows its pods some time after its start;
 * until then it gives nothing. The end of a grace period is a step.
 */
record RealAgent(
    NodeResource view, Step last, boolean restored, long nanos, boolean usesEventVersion)
    implements HandshakeAgent {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int NOT_RESTORED = 7;

  /** One that has just started. */
  static RealAgent fresh() {
    return fresh(false);
  }

  /**
   * One that has just started.
   *
   * @param usesEventVersion whether it uses the version of the event instead of the newest one
   */
  static RealAgent fresh(boolean usesEventVersion) {
    NodeResource none = NodeResource.named("none");
    Step nothing = new Step(AgentReleaseHandshake.NONE, none.releaseIps(), none.releaseIps());
    return new RealAgent(none, nothing, false, 0, usesEventVersion);
  }

  @Override
  public RealAgent saw(NodeResource told, NodeResource newest, Predicate<IpAddress> pods) {
    NodeResource seen = usesEventVersion ? told : newest;
    Predicate<IpAddress> kept = restored ? pods : ip -> false;
    Predicate<IpAddress> listed =
        ip ->
            InterfaceCatalog.of(CrdMode.ENI, seen, List.of()).addresses().values().stream()
                .anyMatch(each -> each.contains(ip));
    Sight sight =
        new Sight(
            seen.pool().addresses(),
            seen.pool().isEmpty(),
            seen.releaseIps(),
            listed,
            kept,
            restored);
    Step step = last.next().observe(sight, GRACE, nanos);
    return new RealAgent(seen, step, restored, nanos, usesEventVersion);
  }

  @Override
  public boolean mayGive(IpAddress address) {
    return restored && view.pool().contains(address) && !last.withheld().containsKey(address);
  }

  @Override
  public SortedMap<IpAddress, HandshakeState> answers() {
    return last.answers();
  }

  @Override
  public Map<String, HandshakeAgent> ownSteps(Predicate<IpAddress> pods) {
    if (!restored) {
      return Map.of("agent restores", with(true, nanos).saw(view, view, pods));
    }
    return last.next().phases().containsValue(Phase.LINGERING)
        ? Map.of("a grace period ends", with(true, nanos + GRACE.toNanos()).saw(view, view, pods))
        : Map.of();
  }

  private RealAgent with(boolean nowRestored, long now) {
    return new RealAgent(view, last, nowRestored, now, usesEventVersion);
  }

  @Override
  public int memory(IpAddress address) {
    Optional<Phase> phase = phase(address);
    return restored
        ? phase.map(each -> List.of(Phase.values()).indexOf(each) + 1).orElse(0)
        : NOT_RESTORED;
  }

  /** The agent's memory of a released address. */
  Optional<Phase> phase(IpAddress address) {
    return Optional.ofNullable(last.next().phases().get(address));
  }
}
