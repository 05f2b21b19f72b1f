package io.tidemark.emulator.ec2.protocol;

/**
 * Writes results and errors as XML documents of AWS Security Token Service, which has its own
 * dialect of the query protocol. Pure; usable from any thread.
 */
public final class StsXml {
  /** The API version of STS; also the last part of the name space. */
  public static final String VERSION = "2011-06-15";

  private static final String NAME_SPACE = " xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">";

  private StsXml() {}

  /** The document {@code <ActionResponse>} with the result inside and the request id behind it. */
  public static String answer(String action, String requestId, Answer answer) {
    StringBuilder out = new StringBuilder(1024).append(Xml.HEAD);
    out.append('<').append(action).append("Response").append(NAME_SPACE);
    out.append('<').append(action).append("Result>");
    Xml.members(answer, out);
    out.append("</").append(action).append("Result><ResponseMetadata>");
    Xml.element("RequestId", requestId, out);
    return out.append("</ResponseMetadata></").append(action).append("Response>").toString();
  }

  /** The document of a refusal. */
  public static String error(String requestId, Ec2Error error) {
    StringBuilder out = new StringBuilder(256).append(Xml.HEAD);
    out.append("<ErrorResponse").append(NAME_SPACE).append("<Error>");
    Xml.element("Type", error.status() < 500 ? "Sender" : "Receiver", out);
    Xml.element("Code", error.code(), out);
    Xml.element("Message", error.message(), out);
    out.append("</Error>");
    Xml.element("RequestId", requestId, out);
    return out.append("</ErrorResponse>").toString();
  }
}
