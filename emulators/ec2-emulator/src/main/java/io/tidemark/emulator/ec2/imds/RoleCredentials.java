package io.tidemark.emulator.ec2.imds;

import io.tidemark.emulator.ec2.model.Sessions;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The role of an instance and the credentials that programs on it get.
 *
 * @param role its name; the instance profile has the same
 * @param given the present credentials
 */
record RoleCredentials(String role, String profileArn, Supplier<Given> given) {
  /**
   * Credentials that the instance has.
   *
   * @param since when they were made
   */
  record Given(Sessions.Session session, Instant since) {}

  Metadata.Directory directory() {
    return new Metadata.Directory()
        .made("info", () -> Ec2MetadataJson.info(this, given.get()))
        .directory(
            "security-credentials",
            new Metadata.Directory().made(role, () -> Ec2MetadataJson.credentials(given.get())));
  }
}
