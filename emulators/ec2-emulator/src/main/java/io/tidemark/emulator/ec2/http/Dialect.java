package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.StsXml;
import io.tidemark.emulator.ec2.protocol.Xml;
import java.util.Optional;

/** Which of the services on the port a request is for, and how that one writes. */
enum Dialect {
  EC2 {
    @Override
    String answer(String action, String requestId, Answer answer) {
      return Xml.answer(action, requestId, answer);
    }

    @Override
    String error(String requestId, Ec2Error error) {
      return Xml.error(requestId, error);
    }
  },
  STS {
    @Override
    String answer(String action, String requestId, Answer answer) {
      return StsXml.answer(action, requestId, answer);
    }

    @Override
    String error(String requestId, Ec2Error error) {
      return StsXml.error(requestId, error);
    }
  };

  /** By the service that was signed for, or else by the API version: each service has one. */
  static Dialect of(Optional<Credential> credential, QueryForm form) {
    boolean signed = credential.filter(c -> c.service().equals("sts")).isPresent();
    return signed || form.value("Version").equals(StsXml.VERSION) ? STS : EC2;
  }

  abstract String answer(String action, String requestId, Answer answer);

  abstract String error(String requestId, Ec2Error error);
}
