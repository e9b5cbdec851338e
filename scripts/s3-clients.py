"""boto3, as its users call it, against the server that S3_ENDPOINT names. Run by s3-clients.sh."""

import io
import os
import sys
import threading
import traceback
import urllib.request
import uuid

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.client import Config
from botocore.exceptions import ClientError

PIECE = 5 * 1024 * 1024
config = Config(s3={"addressing_style": "path"}, signature_version="s3v4")
s3 = boto3.client("s3", endpoint_url=os.environ["S3_ENDPOINT"], region_name=os.environ["AWS_REGION"], config=config)
BUCKET = "boto3"


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response["Error"]
    else:
        raise AssertionError(f"{code} was expected")


def buckets():
    s3.create_bucket(Bucket=BUCKET)
    assert BUCKET in [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]
    s3.head_bucket(Bucket=BUCKET)
    s3.get_bucket_location(Bucket=BUCKET)
    refused("NoSuchBucket", s3.list_objects_v2, Bucket="none")


def objects():
    s3.put_object(Bucket=BUCKET, Key="a b+c.txt", Body=b"hello", ContentType="text/plain", Metadata={"colour": "red"})
    found = s3.get_object(Bucket=BUCKET, Key="a b+c.txt")
    assert (found["Body"].read(), found["ContentType"], found["Metadata"]) == (b"hello", "text/plain", {"colour": "red"})
    part = s3.get_object(Bucket=BUCKET, Key="a b+c.txt", Range="bytes=1-3")
    assert (part["Body"].read(), part["ContentRange"]) == (b"ell", "bytes 1-3/5")
    assert s3.head_object(Bucket=BUCKET, Key="a b+c.txt")["ContentLength"] == 5
    refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="none")


def copies():
    s3.copy_object(Bucket=BUCKET, Key="copy.txt", CopySource={"Bucket": BUCKET, "Key": "a b+c.txt"})
    assert s3.get_object(Bucket=BUCKET, Key="copy.txt")["Body"].read() == b"hello"


def pages():
    for number in range(25):
        s3.put_object(Bucket=BUCKET, Key=f"many/{number:02}/x", Body=b"x")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="many/", PaginationConfig={"PageSize": 10})
    assert len([item for page in pages for item in page["Contents"]]) == 25
    folders = s3.list_objects_v2(Bucket=BUCKET, Prefix="many/", Delimiter="/")["CommonPrefixes"]
    assert folders[3]["Prefix"] == "many/03/", folders


def parts():
    content = os.urandom(3 * PIECE + 17)
    transfer = TransferConfig(multipart_threshold=PIECE, multipart_chunksize=PIECE, max_concurrency=4)
    s3.upload_fileobj(io.BytesIO(content), BUCKET, "large", Config=transfer)
    back = io.BytesIO()
    s3.download_fileobj(BUCKET, "large", back, Config=transfer)
    assert back.getvalue() == content
    s3.copy({"Bucket": BUCKET, "Key": "large"}, BUCKET, "large copy", Config=transfer)
    assert s3.get_object(Bucket=BUCKET, Key="large copy")["Body"].read() == content


def aborted():
    upload = s3.create_multipart_upload(Bucket=BUCKET, Key="never")["UploadId"]
    s3.upload_part(Bucket=BUCKET, Key="never", UploadId=upload, PartNumber=1, Body=b"x" * PIECE)
    assert [one["UploadId"] for one in s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"]] == [upload]
    assert s3.list_parts(Bucket=BUCKET, Key="never", UploadId=upload)["Parts"][0]["Size"] == PIECE
    s3.abort_multipart_upload(Bucket=BUCKET, Key="never", UploadId=upload)
    refused("NoSuchUpload", s3.list_parts, Bucket=BUCKET, Key="never", UploadId=upload)


def presigned():
    url = s3.generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": "signed"}, ExpiresIn=60)
    urllib.request.urlopen(urllib.request.Request(url, data=b"by url", method="PUT"))
    url = s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "signed"}, ExpiresIn=60)
    assert urllib.request.urlopen(url).read() == b"by url"


def form():
    post = s3.generate_presigned_post(BUCKET, "form", Conditions=[["content-length-range", 1, 100]], ExpiresIn=60)
    boundary = uuid.uuid4().hex
    lines = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in post["fields"].items()]
    lines.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nby form\r\n--{boundary}--\r\n')
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    urllib.request.urlopen(urllib.request.Request(post["url"], data="".join(lines).encode(), headers=headers))
    assert s3.get_object(Bucket=BUCKET, Key="form")["Body"].read() == b"by form"


def parallel():
    failures = []

    def put(number):
        try:
            s3.put_object(Bucket=BUCKET, Key=f"parallel/{number}", Body=str(number).encode())
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=put, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    assert s3.list_objects_v2(Bucket=BUCKET, Prefix="parallel/")["KeyCount"] == 50


def removal():
    resource = boto3.resource("s3", endpoint_url=os.environ["S3_ENDPOINT"], region_name=os.environ["AWS_REGION"], config=config)
    refused("ResourceNotEmpty", s3.delete_bucket, Bucket=BUCKET)
    resource.Bucket(BUCKET).objects.all().delete()
    s3.delete_bucket(Bucket=BUCKET)
    refused("404", s3.head_bucket, Bucket=BUCKET)


checks = [buckets, objects, copies, pages, parts, aborted, presigned, form, parallel, removal]
passed = 0
for check in checks:
    try:
        check()
        passed += 1
        print(f"ok {check.__name__}")
    except Exception:  # noqa: BLE001
        print(f"not ok {check.__name__}: {traceback.format_exc()}")
print(f"boto3: {passed} of {len(checks)}")
sys.exit(passed != len(checks))
