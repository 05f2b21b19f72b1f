package io.tidemark.it.handshake;

import io.tidemark.agent.crd.AgentReleaseHandshake.Phase;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.HandshakeAgent;
import io.tidemark.node.ModelAgent;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * The real agent, beside which the agent of the model sees the same. They differ only where a
 * released address is the node's again (allocators 10 H3), and while the real one does not know its
 * pods.
 */
record ComparedAgents(RealAgent real, HandshakeAgent model) implements HandshakeAgent {
  /** Thrown where they differ. */
  static final class Differ extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Differ(String message) {
      super(message);
    }
  }

  static ComparedAgents fresh(RealAgent real) {
    return new ComparedAgents(real, ModelAgent.FRESH);
  }

  @Override
  public ComparedAgents saw(NodeResource told, NodeResource newest, Predicate<IpAddress> pods) {
    ComparedAgents both =
        new ComparedAgents(real.saw(told, newest, pods), model.saw(told, newest, pods));
    return real.restored() ? both.compared(newest) : both;
  }

  private ComparedAgents compared(NodeResource seen) {
    for (IpAddress ip : seen.releaseIps().keySet()) {
      boolean isBack = real.phase(ip).equals(Optional.of(Phase.BACK));
      HandshakeState answer = real.answers().get(ip);
      HandshakeState expected = model.answers().get(ip);
      if (!isBack && (answer != expected || real.mayGive(ip) != model.mayGive(ip))) {
        throw new Differ(
            ip
                + " of "
                + seen.releaseIps()
                + " is answered "
                + answer
                + ", not "
                + expected
                + ", and may be given: "
                + real.mayGive(ip));
      }
    }
    return this;
  }

  @Override
  public boolean mayGive(IpAddress address) {
    return real.mayGive(address);
  }

  @Override
  public SortedMap<IpAddress, HandshakeState> answers() {
    return real.answers();
  }

  @Override
  public Map<String, HandshakeAgent> ownSteps(Predicate<IpAddress> pods) {
    Map<String, HandshakeAgent> steps = new LinkedHashMap<>();
    real.ownSteps(pods)
        .forEach(
            (name, next) ->
                steps.put(
                    name,
                    new ComparedAgents((RealAgent) next, model.saw(real.view(), real.view(), pods))
                        .compared(real.view())));
    return steps;
  }

  @Override
  public int memory(IpAddress address) {
    return real.memory(address);
  }
}
