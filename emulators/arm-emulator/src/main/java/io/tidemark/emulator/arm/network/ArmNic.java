package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.kit.time.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A network interface. The network provider holds it; that of a Uniform instance cannot be written
 * there. Not thread-safe.
 */
public final class ArmNic {
  /**
   * The interface at one instant. Immutable.
   *
   * @param rest the client's members that are not modelled, {@code properties} among them
   * @param mac empty until the machine's host has made it
   */
  public record State(
      Document rest,
      List<Assigned> configurations,
      Optional<String> mac,
      String etag,
      String provisioningState) {
    public State {
      configurations = List.copyOf(configurations);
    }

    public State withConfigurations(List<Assigned> changed, String newEtag) {
      return new State(rest, changed, mac, newEtag, provisioningState);
    }

    public State withProvisioningState(String changed) {
      return new State(
          rest,
          configurations.stream().map(each -> each.withState(changed)).toList(),
          mac,
          etag,
          changed);
    }

    public State withRest(Document changed, String newEtag) {
      return new State(changed, configurations, mac, newEtag, provisioningState);
    }

    /** Whether an operation on it goes on. */
    public boolean isInWork() {
      return provisioningState.equals("Updating") || provisioningState.equals("Deleting");
    }

    public State withMac(String given) {
      return new State(rest, configurations, Optional.of(given), etag, provisioningState);
    }
  }

  private final ArmId id;
  private Optional<ArmId> machine;
  private Timeline<State> states = Timeline.empty();

  public ArmNic(ArmId id, Optional<ArmId> machine) {
    this.id = id;
    this.machine = machine;
  }

  public ArmId id() {
    return id;
  }

  /** The machine that it is attached to. */
  public Optional<ArmId> machine() {
    return machine;
  }

  /** Takes it from its machine; it keeps its configurations. */
  public void detach() {
    machine = Optional.empty();
  }

  public boolean isUniform() {
    return id.name("virtualMachineScaleSets").isPresent();
  }

  /** The latest state. */
  public State state() {
    return states.present().orElseThrow(() -> new IllegalStateException(id + " has no state"));
  }

  /** The state that a lagging list of this instant shows; empty when it shows none yet. */
  public Optional<State> shownAt(Instant instant) {
    return states.at(instant);
  }

  /** Sets the state; lists show it from {@code visible} on. */
  public void set(State changed, Instant visible, Instant oldestRead) {
    states = states.plus(visible, changed, oldestRead);
  }

  /** As a GET or a list shows this state. */
  public Document document(State state, BlockForm form, boolean lengths) {
    Document properties =
        state
            .rest()
            .object("properties")
            .with("provisioningState", state.provisioningState())
            .with(
                "ipConfigurations",
                state.configurations().stream()
                    .map(each -> each.document(id.text(), state.etag(), form, lengths))
                    .toList());
    if (state.mac().isPresent()) {
      properties = properties.with("macAddress", state.mac().get());
    }
    if (machine.isPresent()) {
      properties = properties.with("virtualMachine", Document.reference(machine.get().text()));
    }
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("etag", state.etag())
        .and(state.rest())
        .with("type", "Microsoft.Network/networkInterfaces")
        .with("properties", properties);
  }

  /** For people. */
  public Document summary() {
    State now = state();
    return Document.of("id", id.text())
        .with("provisioningState", now.provisioningState())
        .with(
            "addresses",
            now.configurations().stream()
                .flatMap(each -> each.range().stream())
                .map(each -> each.isSingle() ? each.first().toString() : each.toString())
                .toList())
        .with("etag", now.etag());
  }
}
