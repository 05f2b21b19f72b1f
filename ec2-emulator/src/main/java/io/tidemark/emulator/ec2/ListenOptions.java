package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.ModelOptions;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@link Ec2Emulator#listen(ListenOptions)} listens with. Immutable.
 *
 * @param port of the API, 0 for one of the system's choice
 * @param model what the model is made with
 * @param metadata the metadata service of one instance; empty for none
 */
public record ListenOptions(int port, ModelOptions model, Optional<Metadata> metadata) {
  /**
   * The metadata service.
   *
   * @param port 0 for one of the system's choice
   * @param setting whose service it is
   */
  public record Metadata(int port, Imds.Setting setting) {
    public Metadata {
      Objects.requireNonNull(setting, "setting");
    }
  }

  public ListenOptions {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(metadata, "metadata");
  }

  /** The API alone. */
  public static ListenOptions of(int port, ModelOptions model) {
    return new ListenOptions(port, model, Optional.empty());
  }

  public ListenOptions withMetadata(int metadataPort, Imds.Setting setting) {
    return new ListenOptions(port, model, Optional.of(new Metadata(metadataPort, setting)));
  }
}
