package io.tidemark.provider.aws.ec2;

import software.amazon.awssdk.core.exception.SdkClientException;

/** Credentials could not be had; the request was not sent. */
final class NoCredentials extends SdkClientException {
  private static final long serialVersionUID = 1L;

  NoCredentials(String message, RuntimeException cause) {
    super(SdkClientException.builder().message(message).cause(cause));
  }
}
