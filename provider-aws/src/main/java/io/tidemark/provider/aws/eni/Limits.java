package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.Optional;

/** What instance types can carry. Answers from memory; thread-safe. */
public interface Limits {
  /** The type; empty while it is not known. Asking is enough for it to be looked up. */
  Optional<InstanceType> find(String type);

  /** EC2 contradicted what is known of the type: it is looked up anew. */
  void doubt(String type);
}
