package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.Optional;

/** The limits of instance types. Never blocks; thread-safe. */
public interface Limits {
  /** The type; empty while it is unknown. The first call starts a lookup. */
  Optional<InstanceType> find(String type);

  /** Looks the type up again, because EC2 contradicted the known limits. */
  void doubt(String type);
}
