package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.util.Optional;

/**
 * Where the credential for the API server comes from, for people.
 *
 * @param what the credential and its place, never its value
 * @param remedy what a person does when it is refused, as a sentence
 */
record CredentialSource(String what, String remedy) {
  private static final String READ_AGAIN = " It is read again; no restart is needed.";

  static CredentialSource of(Config config, Optional<AuthInfo> user) {
    File file = config.getFileWithAuthInfo();
    if (file == null || config.getCurrentContext() == null || user.isEmpty()) {
      return new CredentialSource(
          "the service account's token of the pod",
          "Check that the pod's service account exists and that its token is mounted.");
    }
    String place =
        " of user '" + config.getCurrentContext().getContext().getUser() + "' in " + file.getPath();
    AuthInfo found = user.get();
    if (isGiven(found.getTokenFile())) {
      return new CredentialSource(
          "the tokenFile " + found.getTokenFile() + place,
          "Put a valid token into that file." + READ_AGAIN);
    }
    if (found.getExec() != null) {
      return new CredentialSource(
          "the token of the exec plugin " + found.getExec().getCommand() + place,
          "Log in again with what the plugin uses." + READ_AGAIN);
    }
    if (isGiven(found.getToken())) {
      return new CredentialSource(
          "the token" + place, "Log in again, or put a valid token there." + READ_AGAIN);
    }
    if (isGiven(found.getUsername())) {
      return new CredentialSource(
          "the user name and password" + place, "Correct them and start again.");
    }
    if (isGiven(found.getClientCertificateData()) || isGiven(found.getClientCertificate())) {
      return new CredentialSource(
          "the client certificate" + place,
          "Check that it has not expired and that the server trusts its issuer, then start again.");
    }
    return new CredentialSource(
        "no credential" + place,
        "Add a token, a tokenFile, a certificate or an exec plugin there.");
  }

  private static boolean isGiven(String text) {
    return text != null && !text.isEmpty();
  }
}
