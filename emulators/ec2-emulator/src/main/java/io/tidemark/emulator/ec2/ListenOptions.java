package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario;
import java.util.Optional;

/**
 * The options of {@link Ec2Emulator#listen(ListenOptions)}. Immutable.
 *
 * @param port of the API, 0 for any free port
 * @param scenario the behaviour of EC2 and its initial resources
 * @param metadata the metadata service of one instance; empty for none
 */
public record ListenOptions(int port, Ec2Scenario scenario, Optional<Metadata> metadata) {
  /**
   * The metadata service.
   *
   * @param port 0 for one of the system's choice
   * @param setting whose service it is; the scenario completes it
   */
  public record Metadata(int port, Imds.Setting setting) {}

  /** The API alone. */
  public static ListenOptions of(int port, Ec2ModelOptions model) {
    return of(port, Ec2Scenario.of(model));
  }

  /** The API alone, with this world behind it. */
  public static ListenOptions of(int port, Ec2Scenario scenario) {
    return new ListenOptions(port, scenario, Optional.empty());
  }

  /** The same with a metadata service; what the setting leaves open, the scenario may say. */
  public ListenOptions withMetadata(int metadataPort, Imds.Setting setting) {
    return new ListenOptions(port, scenario, Optional.of(new Metadata(metadataPort, setting)));
  }
}
