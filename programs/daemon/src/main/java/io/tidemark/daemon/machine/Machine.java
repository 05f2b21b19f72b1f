package io.tidemark.daemon.machine;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.Optional;

/**
 * The machine that the agent runs on.
 *
 * @param instance its id at the cloud; empty where none is checked
 * @param interfaces that it has
 */
public record Machine(Optional<String> instance, LocalInterfaces interfaces) {
  /** Where clouds have their metadata service. */
  public static final URI METADATA = URI.create("http://169.254.169.254");

  /** Anything: for pools whose addresses belong to no instance. */
  public static final Machine ANY = new Machine(Optional.empty(), LocalInterfaces.ALL);

  /**
   * How it is recognized.
   *
   * @param instance its id; empty to ask the metadata service
   * @param metadata the address of that service
   * @param interfaces whether an interface that is not here is not used
   */
  public record Settings(Optional<String> instance, URI metadata, boolean interfaces) {}

  /** Looks at this machine. Blocks for some seconds when the metadata service does not answer. */
  public static Machine read(CrdMode mode, Settings settings, TimeSource time)
      throws InterruptedException {
    if (!mode.isCloud()) {
      return ANY;
    }
    Optional<String> instance =
        settings.instance().isPresent()
            ? settings.instance()
            : new MachineMetadata(settings.metadata()).instanceId(mode);
    return new Machine(
        instance, settings.interfaces() ? MachineInterfaces.of(time) : LocalInterfaces.ALL);
  }
}
