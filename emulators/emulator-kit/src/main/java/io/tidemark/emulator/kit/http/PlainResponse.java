package io.tidemark.emulator.kit.http;

/** A response outside the EC2 protocol; text in UTF-8. */
public record PlainResponse(int status, String contentType, String body) {}
